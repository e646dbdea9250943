internal import Kinship

protocol RecordIndex<Indexed>: Sendable {
  associatedtype Indexed: GraphRecord

  /// Collects records with distinct ids during construction.
  mutating func add(_ records: [Indexed])

  /// Builds the index from the collected records, before its first use.
  mutating func finish()

  /// Adds a record, or replaces the one with the same id.
  mutating func put(_ record: Indexed)

  mutating func remove(_ id: Indexed.ID)
}

enum IndexKey: Hashable, Sendable {
  case order([Term])
  case referrers(Property, to: ObjectIdentifier)
  case declared

  struct Property: Hashable, Sendable {
    let path: any AnyKeyPath & Sendable

    static func == (left: Property, right: Property) -> Bool {
      left.path as AnyKeyPath == right.path
    }

    func hash(into hasher: inout Hasher) { hasher.combine(path as AnyKeyPath) }
  }

  struct Term: Hashable, Sendable {
    let property: Property
    let isAscending: Bool
    let hasNilsFirst: Bool
  }

  static func order<R: GraphRecord>(_ terms: [SortTerm<R>]) -> IndexKey {
    .order(
      terms.map {
        Term(
          property: Property(path: $0.property), isAscending: $0.direction == .ascending,
          hasNilsFirst: $0.nils == .first)
      })
  }
}

/// All declared indexes of a type.
struct DeclaredIndexes<R: GraphRecord>: RecordIndex {
  private(set) var ids = IndexedIDs<R>(R.indexes, of: [])
  /// The keys of each record, because the old value is unknown when a record changes.
  private var keys: [R.ID: [any Sendable]] = [:]
  /// During construction: the keys of all records, by index.
  private var columns: [(any Sendable)?] = R.indexes.declarations.map { _ in nil }

  mutating func add(_ records: [R]) {
    ids.collect(records, &columns)
    for record in records { keys[record.id] = ids.keys(of: record) }
  }

  mutating func finish() {
    ids = IndexedIDs(R.indexes, columns, count: keys.count)
    columns = []
  }

  mutating func put(_ record: R) {
    let new = ids.keys(of: record)
    ids.move(record.id, from: keys.updateValue(new, forKey: record.id), to: new)
  }

  mutating func remove(_ id: R.ID) {
    guard let old = keys.removeValue(forKey: id) else { return }
    ids.move(id, from: old, to: nil)
  }
}
