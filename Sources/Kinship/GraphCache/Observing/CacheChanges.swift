/// The changes of all records, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observeAll()``. Each iterator observes independently, from its first
/// element to its last.
public struct CacheChanges: AsyncSequence, Sendable {
  /// A change of the records.
  public typealias Element = CacheChange
  /// The error of a failed reload.
  public typealias Failure = any Error

  let cache: GraphCache

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      base: ChangeIterator(PopulationSubject(WholePopulation(), RecordComparison()), in: cache))
  }

  /// Observes the records for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<PopulationSubject<WholePopulation>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)``, if something is
    ///   reloaded. The sequence does not end: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> CacheChange? {
      try await base.next().map { CacheChange(value: $0.value, diff: $0.diff) }
    }
  }
}
