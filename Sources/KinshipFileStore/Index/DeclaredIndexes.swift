internal import Kinship

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
