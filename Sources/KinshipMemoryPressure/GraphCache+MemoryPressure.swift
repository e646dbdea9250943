#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif
public import Kinship

extension GraphCache {
  /// Forgets records whenever memory gets less, until the levels end or the task is cancelled.
  ///
  /// ```swift
  /// let trimming = Task { await cache.trim(under: MemoryPressure()) }
  /// ```
  ///
  /// At a warning, the least recently used go first, until half of the sum of the costs is left: of
  /// records that cost the same, half of them. When it is critical, all go. Leased records stay in
  /// any case, and so does what loads and graphs in progress need. The memory is given back to the
  /// system, as far as the allocator lets go of it.
  ///
  /// The task keeps the cache in memory until it ends.
  ///
  /// - Parameter levels: What tells it: ``MemoryPressure``, or a sequence of yours.
  /// - Throws: What the levels throw.
  /// - Complexity: O(*n*) in the records that are forgotten.
  public nonisolated(nonsending) func trim<Levels: AsyncSequence>(
    under levels: Levels
  ) async throws(Levels.Failure) where Levels.Element == MemoryPressure.Level {
    var levels = levels.makeAsyncIterator()
    while !Task.isCancelled, let level = try await levels.next(isolation: #isolation) {
      await trim(at: level)
    }
  }

  private func trim(at level: MemoryPressure.Level) {
    let cost = self.cost
    switch level {
    case .warning: trim(to: .max, cost: cost / 2)
    case .critical: trim(to: 0, cost: 0)
    }
    // It looks at all that the allocator has.
    if self.cost < cost { UnusedMemory.giveBack() }
  }
}

/// Memory that nobody uses and the allocator has kept.
private enum UnusedMemory {
  /// Gives it back to the system.
  static func giveBack() {
    #if canImport(Darwin)
      malloc_zone_pressure_relief(nil, 0)
    #elseif canImport(Glibc)
      // Its header is in no module.
      typealias Trim = @convention(c) (Int) -> Int32
      guard let function = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(function, to: Trim.self)(0)
    #endif
  }
}
