extension GraphCache {
  /// Captures the committed values of this moment, and runs a closure that reads them in chunks.
  ///
  /// 1. A capture in progress ends first.
  /// 2. The capture begins, on the actor, so that it never splits a write. That takes a moment,
  ///    however many records there are. From then on, writes copy the records that they are about
  ///    to change.
  /// 3. The recency order is copied, in short holds of the lock.
  /// 4. The closure runs, off the actor.
  /// 5. Copies that were not read are released, also if the closure throws.
  ///
  /// - Parameter body: Reads the capture.
  /// - Returns: The closure's result.
  /// - Throws: Any error that the closure throws, and `CancellationError` if the task is cancelled
  ///   before the closure runs.
  nonisolated func capture<T: Sendable>(
    _ body: @Sendable (inout CaptureReader) async throws -> T
  ) async throws -> T {
    let turn = try await captureTurns.waitForTurn()
    defer { captureTurns.pass(turn) }
    var reader = await beginCapture()
    defer { endCapture() }
    try reader.takeOrder()
    return try await body(&reader)
  }

  /// Begins a capture; call it in turn, and end it.
  func beginCapture() -> CaptureReader {
    let (count, moment, leases, answers, pending, cursors) = state.withLock { state in
      state.map.beginCapture()
      return (
        state.map.count, state.map.clock.now, state.leases.named,
        state.observers.captureAnswers(), state.pendingRefs(schema), state.cursors
      )
    }
    return CaptureReader(
      cache: self, count: count, leases: idsByName(leases), answers: answers, cursors: cursors,
      moment: moment, pending: pending)
  }

  nonisolated func endCapture() {
    state.withLock { $0.map.endCapture() }
    while let copies = state.withLock({ $0.map.captured.takeSavedPages(limit: Chunk.pages) }) {
      withExtendedLifetime(copies) {}
    }
  }
}
