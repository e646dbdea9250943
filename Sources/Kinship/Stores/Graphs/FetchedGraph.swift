/// Requested records, and others that a plan leads to from them.
public struct FetchedGraph<R: GraphRecord>: Sendable {
  /// The requested records, as ``BackingStore/fetch(_:ids:)`` returns them.
  public let records: [R]
  /// The records that the plan leads to: lists, the nearest first.
  package var related: [any FetchedRecords] = []

  /// Creates an answer from the requested records.
  ///
  /// - Parameter records: The records that exist, in any order, each once.
  public init(_ records: [R]) { self.records = records }

  /// Adds records that the plan leads to.
  ///
  /// A cache treats them as stored; it fetches by id those that are missing here.
  ///
  /// - Parameter records: The records, the nearest first, if that is known.
  public mutating func add<T: GraphRecord>(_ records: [T]) {
    if !records.isEmpty { related.append(RecordsOfType(records, areOfOneGeneration: false)) }
  }

  /// Adds records of one generation, no nearer to the requested ones than those added before.
  mutating func add<T: GraphRecord>(generation records: [T]) {
    if !records.isEmpty { related.append(RecordsOfType(records, areOfOneGeneration: true)) }
  }

  /// Returns the added records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in the order in which they were added.
  public func related<T: GraphRecord>(_ type: T.Type) -> [T] {
    related.flatMap { ($0 as? RecordsOfType<T>)?.records ?? [] }
  }
}

/// Records of a type that is known at run time only.
package protocol FetchedRecords: Sendable {
  associatedtype R: GraphRecord

  var records: [R] { get }
  /// Whether all of them are equally near; if not, the first are the nearest.
  var areOfOneGeneration: Bool { get }
}

struct RecordsOfType<R: GraphRecord>: FetchedRecords {
  package let records: [R]
  package let areOfOneGeneration: Bool

  init(_ records: [R], areOfOneGeneration: Bool) {
    self.records = records
    self.areOfOneGeneration = areOfOneGeneration
  }
}
