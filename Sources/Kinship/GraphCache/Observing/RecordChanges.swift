/// The changes of one record, as an asynchronous sequence.
///
/// Create it with ``GraphCache/observe(_:)-(Ref<R>)``. Each iterator observes independently, from
/// its first element to its last.
public struct RecordChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the record.
  public typealias Element = RecordChange<R>
  /// The error of a failed load.
  public typealias Failure = any Error

  let list: ListChanges<R>

  @usableFromInline
  init(list: ListChanges<R>) { self.list = list }

  /// Limits the elements to changes of the given properties.
  ///
  /// Each element has the current values of all properties. An insertion or a removal always counts
  /// as a change.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The filtered changes.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> RecordChanges {
    RecordChanges(list: list.filtered(by: repeat each paths))
  }

  /// Creates an iterator, whose first call of `next()` starts observing.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(list: list.makeAsyncIterator()) }

  /// Observes the record for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var list: ListChanges<R>.Iterator

    /// Waits for the next change.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: The errors of ``GraphCache/find(_:fileID:line:)-(Ref<R>,_,_)``. The sequence does
    ///   not end: the next call tries again.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> RecordChange<R>? {
      try await list.next(isolation: actor).map { RecordChange($0) }
    }
  }
}
