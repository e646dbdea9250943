public import Kinship

/// The initial records of a store under test, as plain dictionaries.
///
/// To fill a store that can be written to, apply ``insertions``. Fill another one from the
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

  /// The record types of the tests, each once: for the schemas of the store and of the cache.
  public static var recordTypes: [any StoreTestRecord.Type] { types }

  static let types: [any TriedRecord.Type] = [
    TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self, TestCitation.self,
  ]

  /// The changes that fill an empty store.
  ///
  /// - Complexity: O(*n*) over the number of records.
  public var insertions: ChangeSet { StoreContents().changes(to: self, style: .whole) }

  /// Creates a memory store with these records, for a store that wraps another one.
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
  /// Adds records, and replaces those with the same ids.
  mutating func insert<R: TriedRecord>(_ records: some Sequence<R>) {
    for record in records { self[keyPath: R.shelf][record.id] = record }
  }

  func all<R: TriedRecord>(_ type: R.Type) -> [R] { Array(self[keyPath: R.shelf].values) }

  subscript<R: TriedRecord>(ref: Ref<R>) -> R? {
    get { self[keyPath: R.shelf][ref.id] }
    set { self[keyPath: R.shelf][ref.id] = newValue }
  }
}

/// A record type of the tests: one of ``StoreContents/recordTypes``.
public protocol StoreTestRecord: GraphRecord, Hashable, Codable where ID: Codable {}
