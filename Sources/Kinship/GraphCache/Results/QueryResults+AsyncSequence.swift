extension QueryResults: AsyncSequence {
  /// A record.
  public typealias Element = R
  /// The error of a failed load.
  public typealias Failure = any Error

  /// Creates an iterator that reads from the first record to the last.
  ///
  /// Each iterator reads on its own, one window at a time, starting after the key of its last
  /// record. It neither uses nor changes the kept windows. It shows the records that exist when it
  /// reaches them: a record that keeps its place among the others appears exactly once, whatever is
  /// inserted or removed.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(cache: cache, query: query.total, size: windowSize)
  }

  /// Reads the records in order.
  public struct Iterator: AsyncIteratorProtocol {
    private let cache: GraphCache
    private let query: RecordQuery<R>
    private let size: Int
    /// The query for the unread records.
    private var part: RecordQuery<R>
    /// The number of records that may remain.
    private var rest: Int
    private var records: ArraySlice<R> = []

    init(cache: GraphCache, query: RecordQuery<R>, size: Int) {
      self.cache = cache
      self.query = query
      self.size = size
      part = query
      rest = query.limit ?? .max
    }

    /// Returns the next record.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The record, or `nil` at the end.
    /// - Throws: The errors of ``RecordQuery/find(in:_:)``. The next call tries again.
    /// - Complexity: One call to the store for each window.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws
      -> R?
    {
      if records.isEmpty, rest > 0 {
        let found = try await cache.records(for: part.limited(to: Swift.min(size, rest)))
        // Fewer than requested need not be the last: some may have been removed meanwhile.
        rest = found.isEmpty ? 0 : rest - found.count
        records = found[...]
        if let last = found.last {
          part = query.following(SortPosition(of: last, in: query.order))
        }
      }
      return records.popFirst()
    }
  }
}
