import Kinship

/// A record type of the tests, with the data that random trials need.
protocol TriedRecord: StoreTestRecord where ID: TestID {
  static var shelf: Shelf<Self> { get }

  /// Makes the record of a number with random values; it may refer to any record whose number is
  /// below a limit.
  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> Self

  static var properties: [TriedProperty<Self>] { get }

  /// The orders of queries; each adds one term.
  static var orders: [TriedOrder<Self>] { get }

  static var filters: [RecordFilter<Self>] { get }
}

extension TriedRecord {
  /// Combines some of the filters: an even number requires its filter; an odd number allows the
  /// opposite of its filter instead.
  static func filter(_ numbers: [Int]) -> RecordFilter<Self> {
    numbers.reduce(.all) { whole, number in
      let next = filters[number / 2 % filters.count]
      if whole.isAll { return number.isMultiple(of: 2) ? next : !next }
      return number.isMultiple(of: 2) ? whole && next : whole || !next
    }
  }
}

typealias Shelf<R: GraphRecord> = any WritableKeyPath<StoreContents, [R.ID: R]> & Sendable

typealias TriedOrder<R: GraphRecord> =
  @Sendable (RecordQuery<R>, SortTerm<R>.Direction) -> RecordQuery<R>

/// A property of a record type of the tests.
struct TriedProperty<R: GraphRecord>: Sendable {
  let differs: @Sendable (R, R) -> Bool
  /// The change that copies the value from a record.
  let change: @Sendable (R) -> PropertyChange<R>
  /// Verifies the counts of each value that a store returns for a query.
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

/// An id type with a different value for each number.
package protocol TestID: Hashable, Sendable, Codable {
  static func numbered(_ number: Int) -> Self
}

extension Int: TestID {
  package static func numbered(_ number: Int) -> Int { number }
}

extension String: TestID {
  /// Returns a string too long to be stored in place, such as `record number 7`.
  package static func numbered(_ number: Int) -> String { "record number \(number)" }
}
