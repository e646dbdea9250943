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
/// get theirs. For a query, ``GraphCache/partialAnswer(to:)`` returns it.
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
  /// - Parameter count: The number of records requested.
  /// - Returns: The records.
  /// - Throws: The answer itself, if some could not; only the cause, if nothing else was requested.
  package func get(of count: Int) throws -> [R] {
    if count == 1, records.isEmpty, let failure = failures.first { throw failure.cause }
    return try get()
  }

  /// Returns the records if all could be read; otherwise throws an error that names those that
  /// could not.
  func whole() throws(KinshipError) -> [R] {
    guard let first = failures.first else { return records }
    throw .fetchFailed(
      type: R.recordName, ids: failures.compactMap { $0.ref.map { AnyRef($0) } }, cause: first.cause
    )
  }
}

extension PartialAnswer: CustomStringConvertible {
  /// The number of records that could be read, and the error of the first that could not.
  public var description: String {
    let missing = failures.first.map { failure in
      let name = failure.ref.map { "\($0)" } ?? R.recordName
      return ", \(failures.count) not: \(name): \(failure.cause)"
    }
    return "\(records.count) records of \(R.recordName) could be read\(missing ?? "")"
  }
}

extension PartialAnswer: LocalizedError {
  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}
