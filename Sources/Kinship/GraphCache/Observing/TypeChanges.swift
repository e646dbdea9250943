/// The changes of the records of one type, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observe(_:)-(R.Type)``. Each iteration is an observer of its own,
/// from its first element to its last.
public struct TypeChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the records.
  public typealias Element = TypeChange<R>
  /// Reading again may fail.
  public typealias Failure = any Error

  let cache: GraphCache
  let observation: TypeObservation<R>
  var comparison = RecordComparison<R>()

  @usableFromInline
  init(cache: GraphCache, _ observation: TypeObservation<R>) {
    (self.cache, self.observation) = (cache, observation)
  }

  /// Only changes of chosen properties make an element.
  ///
  /// An element brings everything up to date, the other properties too. That a record is there, or
  /// is there no longer, always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> TypeChanges {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    let subject = PopulationSubject(TypePopulation(observation: observation), comparison)
    return Iterator(base: ChangeIterator(subject, in: cache))
  }

  /// Observes the records for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: ChangeIterator<PopulationSubject<TypePopulation<R>>>

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)`` throws, where something is
    ///   read again. The sequence does not end by it: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> TypeChange<R>? {
      try await base.next().map { TypeChange(value: $0.value, diff: $0.diff) }
    }
  }
}
