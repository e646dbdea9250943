#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of a cache, which names the type, the id and the cause.
///
/// The cases are in groups by what you can do about them.
public enum KinshipError: Error, Sendable {
  // MARK: Correct the program

  /// A declaration is wrong: of a record type, or of how a store or a file knows it. Correct the
  /// program.
  case invalidSchema(InvalidSchema)
  /// A call is wrong. Correct the program.
  case misuse(Misuse)

  // MARK: Ask the user, or read the record again

  /// A record does not exist.
  case missing(AnyRef)
  /// A record to insert exists already.
  case exists(AnyRef)
  /// Another record already has this value in a unique index; nothing has changed.
  ///
  /// `value` is the value of both; for an index of several properties, all of their values.
  case notUnique(AnyRef, other: AnyRef, property: String, value: String)
  /// A record cannot be deleted because `referrers` refer to it by relationships whose delete rule
  /// is `deny`.
  case deletionDenied(AnyRef, referrers: [AnyRef])
  /// A record in the store is not the one that a transaction was based on; nothing has changed.
  ///
  /// `mine` is the record to write, `theirs` the store's; `nil` for none.
  case conflict(AnyRef, mine: (any GraphRecord)?, theirs: (any GraphRecord)?)

  // MARK: Try again later

  /// The backing store failed to fetch records; `ids` are the ids of the failed request, none for a
  /// query.
  case fetchFailed(type: String, ids: [AnyRef], cause: any Error)
  /// The backing store failed to commit a transaction; nothing has changed.
  case commitFailed(cause: any Error)
  /// A transaction that spans several stores was committed in some of them and failed in one: see
  /// `RoutedStore`.
  ///
  /// The records of the types `committed` have changed. Those of the types `failed` have not; but
  /// if `cause` was no refusal, the store that threw it may have changed its own.
  case committedInPart(committed: [String], failed: [String], cause: any Error)
  /// The backing store exceeded the deadline of a call.
  ///
  /// It is the cause of `fetchFailed`, or, for a commit, the error itself. Then it is not known
  /// whether the store has committed the changes, or is about to.
  case deadlineExceeded(CacheCall, Duration)
  /// A reader's deadline has passed: see ``ReadOptions/deadline``. The requested records may still
  /// arrive in memory.
  case timedOut(after: Duration)
  /// The queue of writes is full while the store is unreachable.
  case queueIsFull(limit: Int)

  // MARK: Look at the files

  /// A file cannot be read or written. Look at the path, and restore or update.
  case file(FileFailure)
  /// After a copy, two stores have different records of a type.
  ///
  /// It has the number of records of each store, and the records that one lacks or that differ.
  case copyDiffers(type: String, source: Int, destination: Int, records: [AnyRef])

  // MARK: Correct the store

  /// The backing store answered with a record that was not requested, that is repeated, or that
  /// exceeds the limit of a query.
  ///
  /// Or it answered a search for referrers with a record that refers to none of the targets, or
  /// that does not exist according to both the cache and the store's `fetch`.
  case unexpectedRecord(AnyRef)
  /// The backing store answered a query with a record that belongs before the one that it follows.
  case outOfOrder(AnyRef)
  /// A value from a store cannot be converted to a record, or a record to the store's form.
  ///
  /// `id` and `field` are `nil` if they are not known.
  case untranslatable(
    type: String, id: (any Hashable & Sendable)?, field: String?, cause: any Error)
  /// A query's filter cannot be evaluated for a record: numbers of its predicate overflow or are
  /// divided by zero, or a force-unwrapped value is `nil`.
  case filterFailed(AnyRef, cause: any Error)
  /// The integers of a property add up to more than its type holds.
  case overflow(type: String, property: String)

  // MARK: Let `write` handle it, or plan the load

  /// A transaction needs a record that is not in memory.
  ///
  /// `write` loads it and runs the transaction again: do not catch the error.
  case notLoaded(AnyRef)
  /// A transaction needs the id of a new record, and none is reserved.
  ///
  /// `write` has the store reserve some and runs the transaction again: do not catch the error.
  case noReservedID(type: String)
  /// A load of a single record was refused because a plan could have included the record.
  ///
  /// The cache's strictness is ``Strictness/fail``: nothing was loaded.
  case unplannedLoad(UnplannedLoad)
}

extension KinshipError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .invalidSchema(let mistake): mistake.description
    case .misuse(let mistake): mistake.description
    case .file(let failure): failure.description
    case .overflow(let type, let property):
      "The integers of \(type).\(property) add up to more than their type holds. Add up fewer "
        + "records, or declare a wider type."
    case .deadlineExceeded(.apply(let refs), let deadline):
      "The store has not finished \(CacheCall.apply(refs).task) within \(deadline). It is unknown "
        + "whether it made them: read the records again before you repeat the write."
    case .deadlineExceeded(let call, let deadline):
      "The store has not finished \(call.task) within \(deadline). Try again, or allow more time "
        + "in `FetchLimits`."
    case .timedOut(let deadline):
      "The answer did not arrive within \(deadline). Ask again, or allow more time."
    case .exists(let ref):
      "\(ref) exists already. Update it, or insert the record with another id."
    case .notUnique(let ref, let other, let property, let value):
      "\(ref) has the same \(property) as \(other), “\(value)”, but a unique index covers it. Give "
        + "one of them another value."
    case .deletionDenied(let ref, let referrers):
      "\(ref) cannot be deleted, because relationships with the delete rule .deny refer to it from "
        + "\(CacheCall.list(referrers)). Delete these records first, or change their refs."
    case .notLoaded(let ref):
      "\(ref) is not in memory. `write` loads it and runs the transaction again: do not catch this "
        + "error."
    case .noReservedID(let type):
      "No id of a new \(type) is reserved. `write` reserves some and runs the transaction again: "
        + "do not catch this error."
    case .commitFailed(let cause):
      "The store failed to commit a transaction: \(cause.sentences)"
    case .committedInPart(let committed, let failed, let cause):
      "Changes of \(committed.joined(separator: ", ")) were committed, and those of "
        + "\(failed.joined(separator: ", ")) failed: \(cause.sentences) Write these again."
    case .conflict(let ref, _, let theirs):
      theirs == nil
        ? "\(ref) is no longer in the store: another writer has deleted it. Read it again before "
          + "you repeat the change."
        : "\(ref) was changed in the store by another writer. Read it again before you repeat the "
          + "change."
    case .untranslatable(let type, let id, let field, let cause):
      "\(type)\(id.map { "(\($0))" } ?? "")\(field.map { ".\($0)" } ?? "") "
        + "cannot be translated: \(cause.sentences)"
    case .queueIsFull(let limit):
      "The queue of writes is full: \(limit) are pending already. Write again once the store is "
        + "reachable."
    case .copyDiffers(let type, let source, let destination, let records):
      "The copy differs from its source, which has \(source) records of \(type) where the copy has "
        + "\(destination). One of the stores lacks or alters \(CacheCall.list(records)). Stop "
        + "other writers, and copy again."
    case .missing(let ref):
      "\(ref) does not exist. Check the id, or use `find`, which returns nil for it."
    case .unplannedLoad(let load):
      load.description
    case .fetchFailed(let type, let ids, let cause):
      "Fetching \(Self.list(ids, of: type)) failed: \(cause.sentences)"
    case .unexpectedRecord(let ref):
      "The store returned \(ref), which was not requested, or returned it twice. Correct its "
        + "`fetch`: it must return each requested record once."
    case .outOfOrder(let ref):
      "The store returned \(ref) after a record that it belongs before. Correct its `fetch`: it "
        + "must sort by the order of the query."
    case .filterFailed(let ref, let cause):
      "The filter of the query cannot be evaluated for \(ref): \(cause.sentences)"
    }
  }

  private static func list(_ ids: [AnyRef], of type: String) -> String {
    let shown = ids.prefix(3).map { "\($0.id)" }.joined(separator: ", ")
    if ids.isEmpty { return type }
    let more = ids.count > 3 ? " and \(ids.count - 3) more" : ""
    return "\(type) \(shown)\(more)"
  }
}

extension KinshipError: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension KinshipError {
  /// Whether the error means that the store has changed nothing.
  package var isRefusal: Bool {
    switch self {
    case .fetchFailed, .commitFailed, .committedInPart, .deadlineExceeded, .file(.failed),
      .file(.damaged):
      false
    default: true
    }
  }
}
