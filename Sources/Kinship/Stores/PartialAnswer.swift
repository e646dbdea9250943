#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a store could read of what it was asked for, and what it could not.
///
/// A ``BackingStore`` throws it in place of an answer, where some records are as they should be and
/// others cannot be read: a row that is damaged, or that does not fit the record type.
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
/// A cache then fails those alone who wait for a record that could not be read; the others get
/// theirs. ``GraphCache/partialAnswer(to:)`` returns it, for a query that may be answered in part.
public struct PartialAnswer<R: GraphRecord>: Error {
  /// A record that could not be read.
  public struct Failure: Sendable {
    /// The ref that names the record; `nil` where not even its id can be read.
    public let ref: Ref<R>?
    /// Why it could not be read.
    public let cause: any Error

    /// Describes a record that could not be read.
    ///
    /// - Parameters:
    ///   - ref: The ref that names the record; `nil` where not even its id can be read.
    ///   - cause: Why it could not be read.
    public init(_ ref: Ref<R>?, cause: any Error) {
      self.ref = ref
      self.cause = cause
    }
  }

  /// The records that could be read, in the order in which they would have been answered.
  public let records: [R]
  /// Those that could not; among those who refer to others, those that may.
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

  /// The records, if all could be read.
  ///
  /// - Returns: The records.
  /// - Throws: The answer itself, if some could not.
  public func get() throws -> [R] {
    if failures.isEmpty { return records }
    throw self
  }

  /// The records, if all could be read, of so many that were asked for by their ids.
  ///
  /// - Parameter count: How many were asked for.
  /// - Returns: The records.
  /// - Throws: The answer itself, if some could not; the cause alone, if nothing else was asked
  ///   for.
  package func get(of count: Int) throws -> [R] {
    if count == 1, records.isEmpty, let failure = failures.first { throw failure.cause }
    return try get()
  }

  /// The records, if all could be read; else an error that names those that could not.
  func whole() throws(KinshipError) -> [R] {
    guard let first = failures.first else { return records }
    throw .fetchFailed(
      type: R.recordName, ids: failures.compactMap { $0.ref.map { AnyRef($0) } }, cause: first.cause
    )
  }
}

extension PartialAnswer: CustomStringConvertible {
  /// How many records could be read, and why the first could not that could not.
  public var description: String {
    let missing = failures.first.map { failure in
      let name = failure.ref.map { "\($0)" } ?? R.recordName
      return ", \(failures.count) not: \(name): \(failure.cause)"
    }
    return "\(records.count) records of \(R.recordName) could be read\(missing ?? "")"
  }
}

extension PartialAnswer: LocalizedError {
  /// The same as its description: what `localizedDescription` says.
  public var errorDescription: String? { description }
}
