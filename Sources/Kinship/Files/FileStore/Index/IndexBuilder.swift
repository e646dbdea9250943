/// Makes indexes, one after another: who waits for one that was just made finds it.
actor IndexBuilder {
  /// So many records are read at a time.
  private static let batch = 1_024

  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.IndexBuilder")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes an index of all records of a type, unless there is one.
  ///
  /// - Parameters:
  ///   - key: What it is for.
  ///   - empty: The index without records.
  ///   - store: The store.
  /// - Throws: What reading the records throws, and `CancellationError`.
  func build<R: Record>(
    _ key: IndexKey, _ empty: some RecordIndex<R>, in store: FileStore
  ) throws {
    let all = try store.open { catalog throws(KinshipError) -> RecordReading<R>? in
      let shelf = try catalog.shelf(of: R.self)
      guard shelf.index(key) == nil else { return nil }
      let positions = shelf.begin(key)
      return catalog.reading(Array(positions.keys), Array(positions.values), shelf)
    }
    guard let all else { return }
    do {
      var rest = all.order[...]
      var index = empty
      while !rest.isEmpty {
        try Task.checkCancellation()
        let batch = all.selecting(rest.prefix(Self.batch))
        rest = rest.dropFirst(Self.batch)
        for record in try batch.records() { index.put(record) }
      }
      let finished = index
      try store.open { catalog throws(KinshipError) in
        try catalog.shelf(of: R.self).finish(key, finished)
      }
    } catch {
      try store.open { catalog throws(KinshipError) in
        try catalog.shelf(of: R.self).abandon(key)
      }
      throw error
    }
  }
}
