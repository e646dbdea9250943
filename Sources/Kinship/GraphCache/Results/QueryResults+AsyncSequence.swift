extension QueryResults: AsyncSequence {
  /// A record.
  public typealias Element = R
  /// To load may fail.
  public typealias Failure = any Error

  /// Begins to read from the first record to the last.
  ///
  /// Each iteration reads for itself, a window at a time, by the key of the last record that it has
  /// shown, and neither needs nor changes what is kept. It shows what there is when it comes there:
  /// a record that stays where it is among the others comes once, whatever comes and goes.
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
    /// The query for what was not read.
    private var part: RecordQuery<R>
    /// How many records there may be beyond those that were read.
    private var rest: Int
    private var records: ArraySlice<R> = []

    init(cache: GraphCache, query: RecordQuery<R>, size: Int) {
      self.cache = cache
      self.query = query
      self.size = size
      part = query
      rest = query.limit ?? .max
    }

    /// The next record.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The record, or `nil` at the end.
    /// - Throws: What ``GraphCache/find(_:from:within:)`` throws. The next call tries again.
    /// - Complexity: A call of the store for each window.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws
      -> R?
    {
      if records.isEmpty, rest > 0 {
        let found = try await cache.find(part.limited(to: Swift.min(size, rest)))
        // Fewer than were asked for need not be the last: some may have gone meanwhile.
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
