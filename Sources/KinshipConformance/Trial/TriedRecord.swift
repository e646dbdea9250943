import Kinship

/// A record type by which stores are tried, with what the trials need of it.
protocol TriedRecord: StoreTestRecord where ID: TestID {
  /// Where contents keep such records.
  static var shelf: any WritableKeyPath<StoreContents, [ID: Self]> & Sendable { get }

  /// The record of a number, with what a random generator draws; it may refer to any record of
  /// those counted to a limit.
  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> Self

  /// The properties, but for the id and the version.
  static var properties: [TriedProperty<Self>] { get }

  /// By what a query may sort: each adds one term.
  static var orders: [TriedOrder<Self>] { get }

  /// By what a query may filter.
  static var filters: [RecordFilter<Self>] { get }
}

extension TriedRecord {
  /// Some of the filters together: all must hold, or one that has an odd number must not.
  static func filter(_ numbers: [Int]) -> RecordFilter<Self> {
    numbers.reduce(.all) { whole, number in
      let next = filters[number / 2 % filters.count]
      if whole.isAll { return number.isMultiple(of: 2) ? next : !next }
      return number.isMultiple(of: 2) ? whole && next : whole || !next
    }
  }
}

/// Adds one term to a query.
typealias TriedOrder<R: GraphRecord> =
  @Sendable (RecordQuery<R>, SortTerm<R>.Direction) -> RecordQuery<R>

/// A property of a record type by which stores are tried.
struct TriedProperty<R: GraphRecord>: Sendable {
  /// Whether two records differ in it.
  let differs: @Sendable (R, R) -> Bool

  /// The change that gives a record the value of another.
  let change: @Sendable (R) -> PropertyChange<R>

  /// Verifies how often a store says that each value comes up in the answer to a query.
  let verifyCounts: @Sendable (any BackingStore, RecordQuery<R>, [R]) async throws -> Void

  init<Value: Hashable & Sendable>(_ path: any WritableKeyPath<R, Value> & Sendable) {
    verifyCounts = { store, query, answer in
      try verifyEqual(
        try await store.count(query, groupedBy: path),
        Dictionary(answer.map { ($0[keyPath: path], 1) }, uniquingKeysWith: +),
        "the counts by \(path)")
    }
    differs = { $0[keyPath: path] != $1[keyPath: path] }
    change = { .set(path, to: $0[keyPath: path]) }
  }
}
