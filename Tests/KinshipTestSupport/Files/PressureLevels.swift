internal import Kinship
package import KinshipMemoryPressure

/// Levels of memory pressure that are reported at once.
package struct PressureLevels: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private var levels: ArraySlice<MemoryPressure.Level>

  /// Creates a sequence.
  ///
  /// - Parameter levels: The levels to report.
  package init(_ levels: MemoryPressure.Level...) { self.levels = levels[...] }

  package func makeAsyncIterator() -> PressureLevels { self }

  package mutating func next(
    isolation actor: isolated (any Actor)?
  ) async -> MemoryPressure.Level? {
    levels.popFirst()
  }
}
