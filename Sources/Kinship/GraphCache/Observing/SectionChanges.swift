/// The changes of a query's result in sections, as an asynchronous sequence.
///
/// Create it with `GraphCache.observe(_:sectionedBy:_:)`. Each iterator observes independently,
/// from its first element to its last.
public struct SectionChanges<Key: Sendable, R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the result.
  public typealias Element = SectionChange<Key, R>
  /// The error of a failed query.
  public typealias Failure = any Error

  let changes: QueryChanges<R>
  let sectioning: Sectioning<Key, R>

  /// Limits the elements to changes of the given properties, which should include the sectioning
  /// property.
  ///
  /// Each element has the current values of all properties. An insertion into the result, a removal
  /// from it or a move always counts as a change.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> SectionChanges {
    SectionChanges(changes: changes.filtered(by: repeat each paths), sectioning: sectioning)
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: changes.makeAsyncIterator(), sectioning: sectioning)
  }

  /// Observes the result for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: QueryChanges<R>.Iterator
    let sectioning: Sectioning<Key, R>
    private var sections = SectionedList<Key, R>()

    init(base: QueryChanges<R>.Iterator, sectioning: Sectioning<Key, R>) {
      (self.base, self.sectioning) = (base, sectioning)
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:from:within:)``. The sequence does not end: the
    ///   next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> SectionChange<Key, R>? {
      guard let change = try await base.next(isolation: actor) else { return nil }
      return sectioning.next(change, after: &sections)
    }
  }
}
