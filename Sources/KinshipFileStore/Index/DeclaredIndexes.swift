internal import Kinship

/// The records of a type by all indexes that the type declares.
struct DeclaredIndexes<R: GraphRecord>: RecordIndex {
  private(set) var ids = IndexedIDs<R>(R.indexes, of: [])
  /// What a record was before is not known when it changes: so its keys are kept.
  private var keys: [R.ID: [any Sendable]] = [:]
  /// While they are made: the keys of the records that there are, by index.
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
