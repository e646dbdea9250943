internal import Kinship

/// Makes indexes, one after another: who waits for one that was just made finds it.
actor IndexBuilder {
  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.IndexBuilder")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Makes an index of all records of a type that can be read, unless there is one.
  ///
  /// - Parameters:
  ///   - key: What it is for.
  ///   - empty: The index without records.
  ///   - store: The store.
  /// - Throws: `KinshipError` and `CancellationError`.
  func build<R: GraphRecord>(
    _ key: IndexKey, _ empty: some RecordIndex<R>, in store: FileStore
  ) throws {
    let rows = try store.open { catalog throws(KinshipError) -> RecordRows<R>? in
      let locations = try catalog.locations(of: R.self)
      guard locations.index(key) == nil else { return nil }
      locations.begin(key)
      return catalog.rows(locations)
    }
    guard let all = rows?.reading else { return }
    do {
      var index = empty
      var unreadable: Set<R.ID> = []
      let order = all.order
      for range in Chunk.ranges(order.count, of: Chunk.large) {
        try Task.checkCancellation()
        let answer = try all.selecting(order[range]).answer()
        index.add(answer.records)
        unreadable.formUnion(answer.failures.compactMap { $0.ref?.id })
      }
      index.finish()
      let (finished, doubtful) = (index, unreadable)
      try store.open { catalog throws(KinshipError) in
        try catalog.locations(of: R.self).finish(key, finished, without: doubtful)
      }
    } catch {
      try store.open { catalog throws(KinshipError) in
        try catalog.locations(of: R.self).abandon(key)
      }
      throw error
    }
  }
}
