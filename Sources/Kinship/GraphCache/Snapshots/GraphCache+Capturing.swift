extension GraphCache {
  /// Captures what is committed at this moment, and lets a closure read it piece by piece.
  ///
  /// 1. A capture that is under way ends first.
  /// 2. The capture begins, on the actor, so that no call that writes is halved. That takes a
  ///    moment, however many records there are. From then on writes copy what they are about to
  ///    change.
  /// 3. The links of the order of use are copied, in short holds of the lock.
  /// 4. The closure runs, off the actor.
  /// 5. Whatever was copied and not read is released, also if the closure throws.
  ///
  /// - Parameter body: What to do with the captured moment.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, and `CancellationError` when the task is cancelled before
  ///   it runs.
  nonisolated func capture<T: Sendable>(
    _ body: @Sendable (inout CaptureReader) async throws -> T
  ) async throws -> T {
    let turn = try await captureTurns.take()
    defer { captureTurns.pass(turn) }
    var reader = await beginCapture()
    defer { endCapture() }
    try reader.takeOrder()
    return try await body(&reader)
  }

  /// Begins a capture; to be called in turn, and to be ended.
  func beginCapture() -> CaptureReader {
    let (count, moment, leases, pending, cursor) = state.withLock { state in
      state.map.beginCapture()
      return (
        state.map.count, state.map.clock.now, state.leases.named, state.pendingRefs(schema),
        state.cursor
      )
    }
    return CaptureReader(
      cache: self, count: count, leases: idsByName(leases), cursor: cursor, moment: moment,
      pending: pending)
  }

  nonisolated func endCapture() {
    state.withLock { $0.map.endCapture() }
    while let copies = state.withLock({ $0.map.captured.takeSavedPages(limit: Chunk.pages) }) {
      withExtendedLifetime(copies) {}
    }
  }
}
