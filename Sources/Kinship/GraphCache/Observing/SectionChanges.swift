/// The changes of the answer to a query in sections, as an asynchronous sequence.
///
/// It is made by `GraphCache.observe(_:sectionedBy:_:)`. Each iteration is an observer of its own,
/// from its first element to its last.
public struct SectionChanges<Key: Sendable, R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the answer.
  public typealias Element = SectionChange<Key, R>
  /// A query may fail.
  public typealias Failure = any Error

  let changes: QueryChanges<R>
  let sectioning: Sectioning<Key, R>

  /// Only changes of chosen properties make an element; the one that makes the sections should be
  /// among them.
  ///
  /// An element brings everything up to date, the other properties too. That a record is in the
  /// answer, is there no longer, or has moved always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> SectionChanges {
    SectionChanges(changes: changes.filtered(by: repeat each paths), sectioning: sectioning)
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: changes.makeAsyncIterator(), sectioning: sectioning)
  }

  /// Observes the answer for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    var base: QueryChanges<R>.Iterator
    let sectioning: Sectioning<Key, R>
    private var sections = SectionedList<Key, R>()

    init(base: QueryChanges<R>.Iterator, sectioning: Sectioning<Key, R>) {
      (self.base, self.sectioning) = (base, sectioning)
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:from:within:)`` throws. The sequence does not end by it:
    ///   the next call tries again.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> SectionChange<Key, R>? {
      guard let change = try await base.next(isolation: actor) else { return nil }
      return sectioning.next(change, after: &sections)
    }
  }
}
