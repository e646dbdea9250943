/// The records of a type by all indexes that the type declares.
struct DeclaredIndexes<R: GraphRecord>: RecordIndex {
  private(set) var ids = IndexedIDs<R>(R.indexes, of: [])
  /// What a record was before is not known when it changes: so its keys are kept.
  private var keys: [R.ID: [any Sendable]] = [:]

  mutating func put(_ record: R) {
    let new = ids.keys(of: record)
    ids.move(record.id, from: keys.updateValue(new, forKey: record.id), to: new)
  }

  mutating func remove(_ id: R.ID) {
    guard let old = keys.removeValue(forKey: id) else { return }
    ids.move(id, from: old, to: nil)
  }
}
