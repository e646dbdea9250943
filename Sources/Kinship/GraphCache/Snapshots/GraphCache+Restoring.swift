extension GraphCache {
  /// Puts back what was captured earlier, in another cache perhaps, by a closure that does so batch
  /// by batch, from the most to the least recently used.
  ///
  /// What is restored counts as loaded, and as older than all that memory knows: it comes after
  /// that in the order of use, and never takes its place. From the beginning on, whatever is
  /// written, removed, invalidated, about to be changed in the store, or evicted, is not restored
  /// any more. ``removeAll()`` ends the restoration.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the capture, by which all that is restored has aged.
  ///   - cursor: The place in the log of a store up to which it is known.
  ///   - body: What to restore.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, and `CancellationError` when the task is cancelled while
  ///   another restoration is under way.
  nonisolated func restoring<T: Sendable>(
    after elapsed: Duration, since cursor: StoreCursor? = nil,
    _ body: @Sendable (Restoration) async throws -> T
  ) async throws -> T {
    let turn = try await restorationTurns.take()
    defer { restorationTurns.pass(turn) }
    await beginRestoring(since: cursor)
    defer { state.withLock { $0.map.endRestoring() } }
    return try await body(Restoration(cache: self, elapsed: Age(elapsed)))
  }

  private func beginRestoring(since cursor: StoreCursor?) {
    let now = elapsed()
    let following = state.withLock { state in
      state.map.beginRestoring()
      let pending = Array(state.pendingRefs(schema))
      // A deletion that is pending may be forgotten before it is made.
      for type in schema.types { type.noteOutdated(pending, in: state.map) }
      // From here on, what the log tells of is not restored any more.
      return cursor.flatMap { state.noteRestoring(since: $0, at: now) }
    }
    if let following { wake(following) }
  }
}

extension GraphRecord {
  /// Notes that more is known of the records of the type among some refs than what is restored can
  /// know.
  fileprivate static func noteOutdated(_ refs: [AnyRef], in map: borrowing IdentityMap) {
    map.noteOutdated(refs.compactMap { $0.as(Self.self)?.id }, as: Self.self)
  }
}
