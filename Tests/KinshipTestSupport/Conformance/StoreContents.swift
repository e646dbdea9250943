public import Kinship

/// All records of the types by which stores are tried: plain dictionaries, obviously right.
public struct StoreContents: Hashable, Sendable {
  /// The people, by id.
  public var people: [Int: TestPerson] = [:]

  /// The events, by id.
  public var events: [Int: TestEvent] = [:]

  /// The places, by id.
  public var places: [Int: TestPlace] = [:]

  /// The sources, by id.
  public var sources: [String: TestSource] = [:]

  /// The citations, by id.
  public var citations: [Int: TestCitation] = [:]

  /// Creates contents without records.
  public init() {}

  /// Creates contents of one type.
  ///
  /// - Parameter records: The records.
  public init(_ records: some Sequence<some StoreTestRecord>) {
    insert(records)
  }

  /// The record types, for those who make a store of types or a schema.
  public static let recordTypes: [any StoreTestRecord.Type] = [
    TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self, TestCitation.self,
  ]

  /// Adds records, in place of those with the same ids.
  ///
  /// - Parameter records: The records.
  public mutating func insert<R: StoreTestRecord>(_ records: some Sequence<R>) {
    for record in records { self[keyPath: R.shelf][record.id] = record }
  }

  /// All records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in any order.
  public func all<R: StoreTestRecord>(_ type: R.Type) -> [R] {
    Array(self[keyPath: R.shelf].values)
  }

  /// The record that a ref names.
  ///
  /// - Parameter ref: The ref.
  public subscript<R: StoreTestRecord>(ref: Ref<R>) -> R? {
    get { self[keyPath: R.shelf][ref.id] }
    set { self[keyPath: R.shelf][ref.id] = newValue }
  }

  /// The changes that fill an empty store.
  public var insertions: ChangeSet { StoreContents().changes(to: self, style: .whole) }

  /// A store in memory that has the records.
  ///
  /// - Returns: A new store.
  public func memoryStore() -> MemoryStore {
    func fill<R: StoreTestRecord>(_ store: MemoryStore, _ type: R.Type) {
      store.insert(self[keyPath: R.shelf].values)
    }
    let store = MemoryStore()
    for type in Self.recordTypes { fill(store, type) }
    return store
  }
}
