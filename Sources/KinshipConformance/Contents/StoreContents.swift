public import Kinship

/// The records that a store is to have when a check begins: plain dictionaries, obviously right.
///
/// A store that can be written to takes them by ``insertions``. Fill another one from the
/// dictionaries.
public struct StoreContents: Hashable, Sendable {
  /// The people, by id.
  public internal(set) var people: [Int: TestPerson] = [:]

  /// The events, by id.
  public internal(set) var events: [Int: TestEvent] = [:]

  /// The places, by id.
  public internal(set) var places: [Int: TestPlace] = [:]

  /// The sources, by id.
  public internal(set) var sources: [String: TestSource] = [:]

  /// The citations, by id.
  public internal(set) var citations: [Int: TestCitation] = [:]

  init() {}

  init(_ records: some Sequence<some TriedRecord>) { insert(records) }

  /// The record types that a store is tried by, each once: for its schema, and for the cache's.
  public static var recordTypes: [any StoreTestRecord.Type] { types }

  static let types: [any TriedRecord.Type] = [
    TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self, TestCitation.self,
  ]

  /// The changes that fill an empty store.
  ///
  /// - Complexity: O(*n*) over the number of records.
  public var insertions: ChangeSet { StoreContents().changes(to: self, style: .whole) }

  /// A store in memory that has the records: for a store that stands before another one.
  ///
  /// - Returns: A new store.
  /// - Complexity: O(*n*) over the number of records.
  public func memoryStore() -> MemoryStore {
    func fill<R: TriedRecord>(_ store: MemoryStore, _ type: R.Type) {
      store.insert(self[keyPath: R.shelf].values)
    }
    let store = MemoryStore()
    for type in Self.types { fill(store, type) }
    return store
  }
}

extension StoreContents {
  /// Adds records, in place of those with the same ids.
  mutating func insert<R: TriedRecord>(_ records: some Sequence<R>) {
    for record in records { self[keyPath: R.shelf][record.id] = record }
  }

  /// All records of a type, in any order.
  func all<R: TriedRecord>(_ type: R.Type) -> [R] { Array(self[keyPath: R.shelf].values) }

  /// The record that a ref names.
  subscript<R: TriedRecord>(ref: Ref<R>) -> R? {
    get { self[keyPath: R.shelf][ref.id] }
    set { self[keyPath: R.shelf][ref.id] = newValue }
  }
}

/// A record type by which stores are tried: one of ``StoreContents/recordTypes``.
public protocol StoreTestRecord: GraphRecord, Hashable, Codable where ID: Codable {}
