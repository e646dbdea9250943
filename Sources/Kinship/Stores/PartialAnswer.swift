#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The records that a store could read, and the failures of those that it could not.
///
/// A ``BackingStore`` throws it instead of an answer if it can read only some of the records:
/// another row is damaged, or does not fit the record type.
///
/// ```swift
/// func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
///   var records: [R] = []
///   var failures: [PartialAnswer<R>.Failure] = []
///   for row in try await rows(type, ids) {
///     do {
///       records.append(try row.record())
///     } catch {
///       failures.append(.init(Ref(row.id), cause: error))
///     }
///   }
///   return try PartialAnswer(records, failures: failures).get()
/// }
/// ```
///
/// A cache then fails only the callers that wait for a record that could not be read; the others
/// get theirs. A read with ``ReadOptions/partial`` returns it.
public struct PartialAnswer<R: GraphRecord>: Error {
  /// A record that could not be read.
  public struct Failure: Sendable {
    /// The ref that names the record; `nil` if not even its id can be read.
    public let ref: Ref<R>?
    /// The error that kept the store from reading it.
    public let cause: any Error

    /// Describes a record that could not be read.
    ///
    /// - Parameters:
    ///   - ref: The ref that names the record; `nil` if not even its id can be read.
    ///   - cause: The error that kept the store from reading it.
    public init(_ ref: Ref<R>?, cause: any Error) {
      self.ref = ref
      self.cause = cause
    }

    /// The error for a caller that wants this record.
    var error: KinshipError {
      .fetchFailed(type: R.recordName, ids: ref.map { [AnyRef($0)] } ?? [], cause: cause)
    }
  }

  /// The records that could be read, in the order of the answer.
  public let records: [R]
  /// The records that could not be read; in a search for referrers, those that may be referrers.
  public let failures: [Failure]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - records: The records that could be read.
  ///   - failures: Those that could not.
  public init(_ records: [R], failures: [Failure] = []) {
    self.records = records
    self.failures = failures
  }

  /// Creates the answer that a store gives: it returns all records, or throws a partial answer.
  package init(catching body: () async throws -> [R]) async throws {
    do {
      self.init(try await body())
    } catch let partial as PartialAnswer<R> {
      self = partial
    }
  }

  /// Returns the records if all could be read.
  ///
  /// - Returns: The records.
  /// - Throws: The answer itself, if some could not.
  public func get() throws -> [R] {
    if failures.isEmpty { return records }
    throw self
  }

  /// Returns the records that were requested by their ids, if all could be read.
  ///
  /// - Throws: The answer itself, if some could not; only the cause, if nothing else was requested.
  package func get(of count: Int) throws -> [R] {
    if count == 1, records.isEmpty, let failure = failures.first { throw failure.cause }
    return try get()
  }

  /// Returns the records if all could be read; otherwise throws an error that names those that
  /// could not.
  func orThrow() throws(KinshipError) -> [R] {
    guard let first = failures.first else { return records }
    throw .fetchFailed(
      type: R.recordName, ids: failures.compactMap { $0.ref.map { AnyRef($0) } }, cause: first.cause
    )
  }

  /// Returns the reasons why requested ids have no record, by their places in the request.
  ///
  /// A failure that names no record may apply to any id that has none. For each id, `found` has the
  /// place of its record, or -1.
  ///
  /// - Throws: `KinshipError.unexpectedRecord` for a failure of a record that was not requested, or
  ///   that was returned.
  func failures(
    of ids: IDs, found: ContiguousArray<Int32>
  ) throws(KinshipError) -> [Int: LoadFailure] {
    let ids = ids.of(R.self)
    let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
    var failed: [Int: LoadFailure] = [:]
    func fail(_ place: Int, _ cause: any Error) {
      let ref = Ref<R>(ids[place])
      failed[place] = LoadFailure(ref: AnyRef(ref), error: Failure(ref, cause: cause).error)
    }
    for failure in failures {
      guard let ref = failure.ref else { continue }
      guard let place = places[ref.id], found[place] < 0 else {
        throw .unexpectedRecord(AnyRef(ref))
      }
      fail(place, failure.cause)
    }
    if let nameless = failures.first(where: { $0.ref == nil }) {
      for place in ids.indices where found[place] < 0 && failed[place] == nil {
        fail(place, nameless.cause)
      }
    }
    return failed
  }
}

extension PartialAnswer: CustomStringConvertible {
  /// The number of records that could be read, and the error of the first that could not.
  public var description: String {
    let all = records.count + failures.count
    let first = failures.first.map { failure in
      " The first is \(failure.ref.map { "\($0)" } ?? R.recordName): \(failure.cause.sentences)"
    }
    return "\(failures.count) of \(all) records of \(R.recordName) could not be read."
      + (first ?? "")
  }
}

extension PartialAnswer: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

/// An id that could not be loaded, and the error.
struct LoadFailure: Sendable {
  let ref: AnyRef
  let error: KinshipError
}
