/// The changes of all records, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observeAll()``. Each iteration is an observer of its own, from its
/// first element to its last.
public struct CacheChanges: AsyncSequence, Sendable {
  /// A change of the records.
  public typealias Element = CacheChange
  /// Reading again may fail.
  public typealias Failure = any Error

  let cache: GraphCache

  /// Starts to observe, with the first call of `next()`.
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
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)`` throws, where something is
    ///   read again. The sequence does not end by it: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> CacheChange? {
      try await base.next().map { CacheChange(value: $0.value, diff: $0.diff) }
    }
  }
}
