extension GraphCache {
  /// Runs a closure that restores an earlier capture, of this or another cache, in batches.
  ///
  /// The closure restores records from the most to the least recently used. A restored record
  /// counts as loaded, and as older than everything in memory: it comes after that in the recency
  /// order, and never replaces it. From the beginning on, a record that is written, removed,
  /// invalidated, evicted, or about to be changed in the store is no longer restored.
  /// ``removeAll()`` ends the restoration.
  ///
  /// - Parameters:
  ///   - cursors: The positions in a store's log from which the capture must be brought up to date.
  ///   - body: Restores the records, with the `restore` methods of the cache.
  /// - Returns: The closure's result.
  /// - Throws: Any error that the closure throws, and `CancellationError` if the task is cancelled
  ///   while another restoration is in progress.
  nonisolated func restoring<T: Sendable>(
    since cursors: [StoreCursor] = [], _ body: @Sendable () async throws -> T
  ) async throws -> T {
    let turn = try await restorationTurns.waitForTurn()
    defer { restorationTurns.pass(turn) }
    await beginRestoring(since: cursors)
    defer {
      state.withLock { state in
        state.map.endRestoring()
        state.observers.followRestored()
      }
    }
    return try await body()
  }

  private func beginRestoring(since cursors: [StoreCursor]) {
    let now = elapsed()
    let pause = state.withLock { state -> Promise<Void>? in
      state.map.beginRestoring()
      let pending = Array(state.pendingRefs(schema))
      // A pending deletion may be dropped before it is committed.
      for type in schema.types { type.markOutdated(pending, in: state.map) }
      // From here on, records that the log names are no longer restored.
      for cursor in cursors { state.prepareForRestoration(since: cursor, at: now) }
      return cursors.isEmpty ? nil : state.follower?.wake(for: nil)
    }
    pause?.resolve()
  }
}

extension GraphRecord {
  /// Marks records of the type as outdated: memory knows more about them than a restoration can.
  fileprivate static func markOutdated(_ refs: [AnyRef], in map: borrowing IdentityMap) {
    map.markOutdated(refs.compactMap { $0.as(Self.self)?.id }, as: Self.self)
  }
}
