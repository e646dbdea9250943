/// The changes of one record, as an asynchronous sequence.
///
/// It is made by ``GraphCache/observe(_:)-(Ref<R>)``. Each iteration is an observer of its own,
/// from its first element to its last.
public struct RecordChanges<R: GraphRecord>: AsyncSequence, Sendable {
  /// A change of the record.
  public typealias Element = RecordChange<R>
  /// A load may fail.
  public typealias Failure = any Error

  let list: ListChanges<R>

  @usableFromInline
  init(list: ListChanges<R>) { self.list = list }

  /// Only changes of chosen properties make an element.
  ///
  /// An element brings everything up to date, the other properties too. That the record is there,
  /// or is there no longer, always counts.
  ///
  /// - Parameter paths: The properties that count.
  /// - Returns: The changes of these properties.
  public func filtered<each Property: Equatable & Sendable>(
    by paths: repeat any KeyPath<R, each Property> & Sendable
  ) -> RecordChanges {
    RecordChanges(list: list.filtered(by: repeat each paths))
  }

  /// Starts to observe, with the first call of `next()`.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(list: list.makeAsyncIterator()) }

  /// Observes the record for as long as it is referenced.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var list: ListChanges<R>.Iterator

    /// Waits for the next change.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The change, or `nil` once the task is cancelled.
    /// - Throws: What ``GraphCache/find(_:fileID:line:)-(Ref<R>,_,_)`` throws. The sequence does
    ///   not end by it: the next call tries again.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> RecordChange<R>? {
      try await list.next(isolation: actor).map { RecordChange($0) }
    }
  }
}
