internal import Kinship

/// Builds indexes one at a time, so that a waiter finds an index that was just built.
actor IndexBuilder {
  private let executor = SerialQueueExecutor(label: "Kinship.FileStore.IndexBuilder")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Builds an index of all readable records of a type, from an empty one, unless it exists.
  func build<R: GraphRecord>(
    _ key: IndexKey, _ empty: some RecordIndex<R>, in store: FileStore
  ) throws {
    let rows = try store.open { catalog throws(KinshipError) -> RecordRows<R>? in
      let locations = try catalog.locations(of: R.self)
      guard locations.index(key) == nil else { return nil }
      locations.beginIndex(key)
      return try catalog.rows(of: R.self)
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
