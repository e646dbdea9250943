#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of a cache; each case names the type, the id and the cause.
public enum KinshipError: Error, Sendable {
  /// Two record types of one schema have the same name, or one type is listed twice.
  case duplicateType(name: String, String, String)
  /// The queue of writes is full while the store is unreachable.
  case queueIsFull(limit: Int)
  /// A relationship leads to a type that is not in the schema.
  case unknownTarget(type: String, relationship: String, target: String)
  /// A property is listed twice among the relationships of a type.
  case duplicateRelationship(type: String, relationship: String)
  /// A stored property holds refs and is not among the relationships of its type: declare it as
  /// one, or as ``RelationshipDeclaration/ignored(_:)``.
  ///
  /// Plans would not follow it, and its refs would dangle. The check does not look into enums and
  /// objects, and finds nothing on Apple platforms, whose standard library does not report what a
  /// type stores.
  case undeclaredRelationship(type: String, property: String)
  /// A relationship's delete rule removes its ref when the target is deleted, but the property
  /// requires a ref, or cannot be set.
  case cannotNullify(type: String, relationship: String)
  /// An inverse is not a relationship back to the type, cannot be set, or is the inverse of
  /// another.
  case unsuitableInverse(type: String, relationship: String)
  /// A record type is not in the cache's schema.
  case unknownType(String)
  /// A plan follows a property that is not among the relationships of its type.
  case unknownRelationship(type: String, property: String)
  /// A record does not exist.
  case missing(AnyRef)
  /// An update would have given a record another identity.
  case identityChanged(from: AnyRef, to: AnyRef)
  /// A load of a single record was refused because a plan could have included the record.
  ///
  /// The cache's strictness is ``Strictness/fail``: nothing was loaded.
  case unplannedLoad(UnplannedLoad)
  /// A graph cannot grow from a ref that it neither holds nor refers to.
  case unrelated(AnyRef)
  /// The backing store failed to fetch records; `ids` are the ids of the failed request, none for a
  /// query.
  case fetchFailed(type: String, ids: [AnyRef], cause: any Error)
  /// The backing store answered with a record that was not requested, that is repeated, or that
  /// exceeds the limit of a query.
  ///
  /// Or it answered a search for referrers with a record that refers to none of the targets, or
  /// that does not exist according to both the cache and the store's `fetch`.
  case unexpectedRecord(AnyRef)
  /// The backing store answered a query with a record that belongs before the one that it follows.
  case outOfOrder(AnyRef)
  /// A query's filter cannot be evaluated for a record: numbers of its predicate overflow or are
  /// divided by zero, or a force-unwrapped value is `nil`.
  case filterFailed(AnyRef, cause: any Error)
  /// A filter with a condition on related records was evaluated outside of a cache: only a cache
  /// can load these.
  case unresolvedCondition(type: String, property: String)
  /// A cursor belongs to another query for records of that type.
  case foreignCursor(type: String)
  /// The integers of a property add up to more than its type holds.
  case overflow(type: String, property: String)
  /// An id of a type is not equal to itself, as NaN is not, or its hash changes: it could not be
  /// found again.
  case unstableID(type: String)
  /// The backing store exceeded the deadline of a call.
  ///
  /// It is the cause of `fetchFailed`, or, for a commit, the error itself. Then it is not known
  /// whether the store has committed the changes, or is about to.
  case deadlineExceeded(CacheCall, Duration)
  /// The function of a view reads something new each time it runs.
  case viewNeverRests(type: String, rounds: Int)
  /// The function of a view returns another value for the same records. Only debug builds look for
  /// this.
  case impureView(type: String)
  /// A reader's deadline has passed: see ``ReadOptions/deadline``. The requested records may still
  /// arrive in memory.
  case tooLate(after: Duration)
  /// A call would wait for ever: it waits for another call, which waits for the one within which it
  /// is made.
  case waitsForItself(CacheCall, within: CacheCall)
  /// A record to insert exists already.
  case exists(AnyRef)
  /// Another record already has this value in a unique index; nothing has changed.
  ///
  /// `value` is the value of both; for an index of several properties, all of their values.
  case notUnique(AnyRef, other: AnyRef, property: String, value: String)
  /// A record cannot be deleted because `referrers` refer to it by relationships whose delete rule
  /// is `deny`.
  case deletionDenied(AnyRef, referrers: [AnyRef])
  /// A transaction needs a record that is not in memory.
  ///
  /// `write` loads it and runs the transaction again: do not catch the error.
  case notLoaded(AnyRef)
  /// A transaction needs the id of a new record, and none is reserved.
  ///
  /// `write` has the store reserve some and runs the transaction again: do not catch the error.
  case noReservedID(type: String)
  /// The closure of a transaction read a record through the cache, by `peek` or `contains`, which
  /// return the value from before the transaction; nothing has changed.
  case readPastTransaction(AnyRef)
  /// The backing store failed to commit a transaction; nothing has changed.
  case commitFailed(cause: any Error)
  /// A transaction changes records of several stores, and none of them leads: see `RoutedStore`;
  /// nothing has changed.
  ///
  /// `types` are the names of the types that it changes, a list for each store.
  case changesSeveralStores(types: [[String]])
  /// A transaction that spans several stores was committed in some of them and failed in one: see
  /// `RoutedStore`.
  ///
  /// The records of the types `committed` have changed. Those of the types `failed` have not; but
  /// if `cause` was no refusal, the store that threw it may have changed its own.
  case committedInPart(committed: [String], failed: [String], cause: any Error)
  /// A record in the store is not the one that a transaction was based on; nothing has changed.
  ///
  /// `mine` is the record to write, `theirs` the store's; `nil` for none.
  case conflict(AnyRef, mine: (any GraphRecord)?, theirs: (any GraphRecord)?)
  /// A backing store is read-only.
  case readOnlyStore(String)
  /// A backing store does not support an operation.
  case unsupported(store: String, operation: String)
  /// A database store was opened without a table for a record type.
  case noTable(type: String, store: String)
  /// A value from a store cannot be converted to a record, or a record to the store's form.
  ///
  /// `id` and `field` are `nil` if they are not known.
  case untranslatable(
    type: String, id: (any Hashable & Sendable)?, field: String?, cause: any Error)
  /// A backing store has no translator for a record type.
  case noTranslator(type: String)
  /// A backing store has two translators for one record type.
  case duplicateTranslator(type: String)
  /// A change set cannot be inverted: a record's old value is not known.
  case notInvertible(AnyRef)
  /// A record type or its ids are not `Codable`, so that they cannot be written to files.
  case notCodable(type: String)
  /// A file or directory could not be read or written.
  case fileFailed(path: String, cause: any Error)
  /// Bytes of a file differ from the ones that were written.
  case damaged(FileDamage)
  /// A file is larger than the limit; both in bytes.
  case fileTooLarge(path: String, size: Int, limit: Int)
  /// A file is of another kind than expected: not a snapshot, for example.
  case foreignFile(path: String)
  /// A file was written in a form that only a later version of Kinship knows.
  case newerFormat(path: String, version: Int, known: Int)
  /// A file was written with a coder that is not available.
  case unknownCoder(path: String, name: String)
  /// A file has records of a version of their type that only a later version of the program knows.
  case newerVersion(type: String, version: Int, known: Int)
  /// A file has records of an old version of their type, and there is no step from it to the next.
  case noMigration(type: String, from: Int)
  /// The store in a directory is already open, most often in another process.
  case storeInUse(path: String)
  /// After a copy, two stores have different records of a type.
  ///
  /// It has the number of records of each store, and the records that one lacks or that differ.
  case copyDiffers(type: String, source: Int, destination: Int, records: [AnyRef])
  /// A store or a file was used after it was closed.
  case closed(path: String)
}

extension KinshipError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .duplicateType(let name, let first, let second):
      first == second
        ? "The record type \(Self.shown(first)) is listed twice. List it once in the cache or the "
          + "store."
        : "The record types \(Self.shown(first)) and \(Self.shown(second)) have the same name, "
          + "“\(name)”. Give one of them another `recordName`."
    case .unknownTarget(let type, let relationship, let target):
      "\(type).\(relationship) leads to \(target), which is not in the schema. Add \(target) to "
        + "the types of the cache, or declare .ignored(\\.\(relationship))."
    case .duplicateRelationship(let type, let relationship):
      "\(type).\(relationship) is listed twice among the relationships of \(type). List it once."
    case .undeclaredRelationship(let type, let property):
      "\(type).\(property) holds refs and is not declared. Add .toOne, .toMany or "
        + ".ignored(\\.\(property)) to `static let relationships: Relationships<\(type)>`."
    case .cannotNullify(let type, let relationship):
      "\(type).\(relationship) cannot be set to nil when its target is deleted, because it is not "
        + "optional or not a `var`. Make it both, or choose onTargetDelete: .cascade, .deny or "
        + ".none."
    case .unsuitableInverse(let type, let relationship):
      "The inverse of \(type).\(relationship) does not fit. It must be a declared relationship "
        + "back to \(type), both must be a `var`, and neither may be the inverse of another."
    case .unresolvedCondition(let type, let property):
      "The condition on the records of \(type).\(property) was evaluated outside of a cache. Only "
        + "a cache can load them: ask it with `find`."
    case .foreignCursor(let type):
      "The cursor belongs to another query for \(type). Use it with the filter and the order of "
        + "the query that returned it."
    case .overflow(let type, let property):
      "The integers of \(type).\(property) add up to more than their type holds. Add up fewer "
        + "records, or declare a wider type."
    case .unstableID(let type):
      "An id of \(type) is not equal to itself, as NaN, or its hash changes. Use an id with a "
        + "stable `==` and `hash(into:)`."
    case .deadlineExceeded(.apply(let refs), let deadline):
      "The store has not finished \(CacheCall.apply(refs).task) within \(deadline). It is unknown "
        + "whether it made them: read the records again before you repeat the write."
    case .deadlineExceeded(let call, let deadline):
      "The store has not finished \(call.task) within \(deadline). Try again, or allow more time "
        + "in `FetchLimits`."
    case .viewNeverRests(let type, let rounds):
      """
      The function of a view of “\(type)” has read something new in each of \(rounds) rounds. Its \
      value must depend only on the records that it reads.
      """
    case .impureView(let type):
      """
      The function of a view of “\(type)” has returned two different values for the same records. \
      Its value must depend only on the records that it reads.
      """
    case .tooLate(let deadline):
      "The answer did not arrive within \(deadline). Ask again, or allow more time."
    case .waitsForItself(let call, let outer):
      "Within \(outer), \(call) would wait for itself. Make the call after the other has ended."
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
    case .readPastTransaction(let ref):
      "\(ref) was read through the cache inside a transaction, where it may be out of date. Read "
        + "it through the transaction: `tx[ref]`."
    case .commitFailed(let cause):
      "The store failed to commit a transaction: \(cause.sentences)"
    case .changesSeveralStores(let types):
      "A transaction changes records of several stores, and none of them leads: "
        + types.map { $0.joined(separator: ", ") }.joined(separator: "; ")
        + ". Name one in `RoutedStore(leading:)`, or write to each store by itself."
    case .committedInPart(let committed, let failed, let cause):
      "Changes of \(committed.joined(separator: ", ")) were committed, and those of "
        + "\(failed.joined(separator: ", ")) failed: \(cause.sentences) Write these again."
    case .conflict(let ref, _, let theirs):
      theirs == nil
        ? "\(ref) is no longer in the store: another writer has deleted it. Read it again before "
          + "you repeat the change."
        : "\(ref) was changed in the store by another writer. Read it again before you repeat the "
          + "change."
    case .readOnlyStore(let name):
      "\(name) is read-only, so it cannot apply changes. Open it for writing, or give it a way to: "
        + "`apply(_:)`, or `applying` of ClosureStore."
    case .unsupported(let store, let operation):
      "\(store) does not support \(operation). Add the operation to it, or use a store that has it."
    case .noTable(let type, let store):
      "\(store) has no table for \(type). Pass one when you open the store: "
        + "SQLTable<\(type)>(\"…\")."
    case .untranslatable(let type, let id, let field, let cause):
      "\(type)\(id.map { "(\($0))" } ?? "")\(field.map { ".\($0)" } ?? "") "
        + "cannot be translated: \(cause.sentences)"
    case .noTranslator(let type):
      "The store has no translator for \(type). Pass one when you create the store."
    case .duplicateTranslator(let type):
      "The store has two translators for \(type). Pass one of them only."
    case .notInvertible(let ref):
      "The change of \(ref) cannot be inverted, because the record from before it is not known. "
        + "Load the record before you change it."
    case .notCodable(let type):
      "\(type) cannot be stored, because it or its id is not Codable. Declare both as Codable."
    case .fileFailed(let path, let cause):
      Self.failure(of: path, cause.sentences)
    case .damaged(let damage):
      "\(damage) Restore a backup, or keep what is intact with `damage: .salvage`."
    case .fileTooLarge(let path, let size, let limit):
      "\(path) has \(size) bytes, and at most \(limit) are allowed. Raise the limit, or write less "
        + "at once."
    case .foreignFile(let path):
      "\(path) is not a file of the expected kind. Check the path."
    case .newerFormat(let path, let version, let known):
      "\(path) has format \(version), and this program knows formats up to \(known). Update the "
        + "program."
    case .unknownCoder(let path, let name):
      "\(path) was written with the coder “\(name)”, which this program was not given. Pass that "
        + "coder as `coder`."
    case .newerVersion(let type, let version, let known):
      "\(type) has version \(version) in the file, and this program knows versions up to \(known). "
        + "Update the program."
    case .noMigration(let type, let version):
      "The file has records of version \(version) of \(type), and no migration leads from it to "
        + "version \(version + 1). Add that step to `Migrations`."
    case .storeInUse(let path):
      "The store at \(path) is open elsewhere. Close it there first, or open it here for reading."
    case .queueIsFull(let limit):
      "The queue of writes is full: \(limit) are pending already. Write again once the store is "
        + "reachable."
    case .copyDiffers(let type, let source, let destination, let records):
      "The copy differs from its source, which has \(source) records of \(type) where the copy has "
        + "\(destination). One of the stores lacks or alters \(CacheCall.list(records)). Stop "
        + "other writers, and copy again."
    case .closed(let path):
      "\(path) was closed before this call. Open it again to use it."
    case .unknownType(let type):
      "The record type \(type) is not in the schema. Add \(type).self to the types of the cache or "
        + "the store."
    case .unknownRelationship(let type, let property):
      "\(property) is not among the relationships of \(type). Declare it in "
        + "`static let relationships`."
    case .missing(let ref):
      "\(ref) does not exist. Check the id, or use `find`, which returns nil for it."
    case .identityChanged(let old, let new):
      "An update of \(old) changed its id, to \(new). Keep the id, or delete the record and insert "
        + "another."
    case .unplannedLoad(let load):
      load.description
    case .unrelated(let ref):
      "The graph neither holds \(ref) nor refers to it. Expand it from one of its refs, or load "
        + "the graph of \(ref)."
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

  /// The failure of a file with its path, which most causes name themselves.
  private static func failure(of path: String, _ cause: String) -> String {
    let isNamed = cause.contains("\(path):") || cause.contains("\(path)/")
    return isNamed ? cause : "\(path) cannot be used: \(cause)"
  }

  /// The name of a type without the address of a private context.
  private static func shown(_ type: String) -> String {
    type.replacing(/\(unknown context at [^)]*\)\.?/, with: "")
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
    case .fetchFailed, .commitFailed, .committedInPart, .deadlineExceeded, .fileFailed, .damaged:
      false
    default: true
    }
  }
}
