#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif
public import Kinship

extension GraphCache {
  /// Evicts records under memory pressure, until the levels end or the task is cancelled.
  ///
  /// ```swift
  /// let trimming = Task { await cache.trim(under: MemoryPressure()) }
  /// ```
  ///
  /// At a warning, the cache evicts the least recently used records until half of the total cost is
  /// left; if all records cost the same, that is half of them. At a critical level it evicts all of
  /// them. Leased records always stay, and so do those that loads and graphs in progress need.
  /// Memory that the allocator can release is returned to the system.
  ///
  /// A container with a limit of 192 MB can thus import ten times as much: `LimitedImportTests`
  /// does so if it can create a control group.
  ///
  /// The task keeps the cache in memory until it ends.
  ///
  /// - Parameter levels: The pressure levels: ``MemoryPressure``, or a sequence of yours.
  /// - Throws: The errors of the levels.
  /// - Complexity: O(*n*) in the evicted records.
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
    // E4: half of the cost stays at a warning, and nothing at a critical level.
    switch level {
    case .warning: trim(to: .max, cost: cost / 2)
    case .critical: trim(to: 0, cost: 0)
    }
    // This inspects the whole heap, so do it only after an eviction.
    if self.cost < cost { UnusedMemory.giveBack() }
  }
}

/// Memory that is free, but that the allocator has kept.
private enum UnusedMemory {
  /// Returns it to the system.
  static func giveBack() {
    #if canImport(Darwin)
      malloc_zone_pressure_relief(nil, 0)
    #elseif canImport(Glibc)
      // No module exports its header.
      typealias Trim = @convention(c) (Int) -> Int32
      guard let function = dlsym(nil, "malloc_trim") else { return }
      _ = unsafeBitCast(function, to: Trim.self)(0)
    #endif
  }
}
