/// The changes of the records of one type, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observe(_:)-(R.Type)``. Each iterator observes independently, from
/// its first element to its last.
public struct TypeChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the records.
  public typealias Element = TypeChange<R>
  /// The error of a failed reload.
  public typealias Failure = any Error

  let cache: GraphCache
  let observation: TypeObservation<R>
  var comparison = RecordComparison<R>()

  @usableFromInline
  init(cache: GraphCache, _ observation: TypeObservation<R>) {
    (self.cache, self.observation) = (cache, observation)
  }

  /// Limits the elements to changes of the given properties.
  ///
  /// Each element has the current values of all properties. An insertion or a removal always counts
  /// as a change.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> TypeChanges {
    var changes = self
    changes.comparison = .filter(by: repeat each paths)
    return changes
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
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
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-([Ref<R>],_,_)``, if something is
    ///   reloaded. The sequence does not end: the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> TypeChange<R>? {
      try await base.next().map { TypeChange(value: $0.value, diff: $0.diff) }
    }
  }
}
