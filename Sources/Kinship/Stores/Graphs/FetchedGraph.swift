/// Records that were asked for, and others that a plan leads to from them.
public struct FetchedGraph<R: GraphRecord>: Sendable {
  /// Those that were asked for, as ``BackingStore/fetch(_:ids:)`` answers.
  public let records: [R]
  /// Those that the plan leads to: lists, the nearest first.
  package var related: [any FetchedRecords] = []

  /// Creates an answer of the records that were asked for.
  ///
  /// - Parameter records: The records that exist, in any order, each once.
  public init(_ records: [R]) { self.records = records }

  /// Adds records that the plan leads to.
  ///
  /// A cache takes them for what is stored; what it does not find among them it asks for by its id.
  ///
  /// - Parameter records: The records, the nearest first, where that is known.
  public mutating func add<T: GraphRecord>(_ records: [T]) {
    if !records.isEmpty { related.append(RecordsOfType(records, areOfOneGeneration: false)) }
  }

  /// Adds records that are as far from those that were asked for, and no nearer than what was added
  /// before.
  mutating func add<T: GraphRecord>(generation records: [T]) {
    if !records.isEmpty { related.append(RecordsOfType(records, areOfOneGeneration: true)) }
  }

  /// The records of a type that the plan leads to, and that were added.
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
  /// Whether none of them is nearer than another: if not, the first are the nearest.
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
