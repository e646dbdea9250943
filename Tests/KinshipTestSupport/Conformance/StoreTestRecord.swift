public import Kinship

/// A record type by which stores are tried.
public protocol StoreTestRecord: GraphRecord, Hashable, Codable where ID: TestID {
  /// Where contents keep such records.
  static var shelf: any WritableKeyPath<StoreContents, [ID: Self]> & Sendable { get }

  /// A record with what a random generator draws; it may refer to any record of those counted to a limit.
  ///
  /// - Parameters:
  ///   - number: The number that its id stands for.
  ///   - count: How many records of each type may be referred to.
  ///   - generator: Where the choices come from.
  /// - Returns: The record.
  static func random(
    _ number: Int, among count: Int, using generator: inout SplitMix64
  ) -> Self

  /// The properties, but for the id and the version.
  static var properties: [StoreTestProperty<Self>] { get }

  /// By what a query may sort: each adds one term.
  static var orders: [StoreTestOrder<Self>] { get }
}

/// Adds one term to a query.
public typealias StoreTestOrder<R: GraphRecord> =
  @Sendable (RecordQuery<R>, SortTerm<R>.Direction) -> RecordQuery<R>

/// A property of a record type by which stores are tried.
public struct StoreTestProperty<R: GraphRecord>: Sendable {
  /// Whether two records differ in it.
  let differs: @Sendable (R, R) -> Bool

  /// The change that gives a record the value of another.
  let change: @Sendable (R) -> PropertyChange<R>

  /// Creates a description of a property.
  ///
  /// - Parameter path: The property.
  public init<Value: Equatable & Sendable>(_ path: any WritableKeyPath<R, Value> & Sendable) {
    differs = { $0[keyPath: path] != $1[keyPath: path] }
    change = { .set(path, to: $0[keyPath: path]) }
  }
}
