extension CacheState {
  /// Returns the indexes of a type over the records in memory, if they were started.
  func indexes<R: GraphRecord>(of number: TypeNumber, as type: R.Type) -> MemoryIndexes<R>? {
    indexes[number] as? MemoryIndexes<R>
  }

  /// Starts to maintain the indexes of a type.
  mutating func beginIndexes<R: GraphRecord>(
    of number: TypeNumber, as type: R.Type, isReady: Bool
  ) {
    guard let table = map.table(type) else { return }
    let made = MemoryIndexes(type.indexes, isReady: isReady)
    indexes[number] = made
    if let watcher = type.indexes.watcher(made) { table.pointee.add(watcher) }
  }

  /// Starts to maintain the unique indexes of all types, if only memory enforces them.
  mutating func beginUniqueIndexes(_ schema: GraphSchema) {
    func begin<R: GraphRecord>(_ number: TypeNumber, _ type: R.Type) {
      if R.indexes.hasUnique { beginIndexes(of: number, as: type, isReady: true) }
    }
    for (number, type) in zip(schema.types.typeNumbers, schema.types) { begin(number, type) }
  }
}

extension CacheState {
  /// Returns the inconsistencies between a type's indexes and the records in memory, in words.
  func auditIndexes<R: GraphRecord>(of type: R.Type, _ schema: GraphSchema) -> [String] {
    guard let number = schema.number(of: type) else { return [] }
    guard let ids = indexes(of: number, as: type)?.ids else { return [] }
    var records: [R] = []
    map.forEach(R.self) { records.append($0) }
    return ids.audit(records)
  }
}
