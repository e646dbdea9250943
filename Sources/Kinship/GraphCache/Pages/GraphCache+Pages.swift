extension GraphCache {
  /// Returns a page of a query's result: the first, or the one after a cursor.
  ///
  /// ```swift
  /// var page = try await cache.page(.long(rock), size: 20)
  /// show(page.records)
  /// while page.hasMore {
  ///   page = try await cache.page(.long(rock), size: 20, after: page.end)
  ///   show(page.records)
  /// }
  /// ```
  ///
  /// Each page shows the records that exist when it is read. A record that keeps its place among
  /// the others is on exactly one page, whatever is inserted or removed between them.
  ///
  /// - Parameters:
  ///   - query: The query. Its offset counts from the start of the result; its limit applies to all
  ///     pages together.
  ///   - size: The largest number of records, at least 1.
  ///   - cursor: The end of the previous page; `nil` for the first page.
  ///   - options: The options for reading; a page is never partial.
  /// - Returns: The page. An empty page ends where it would begin.
  /// - Throws: `KinshipError.misuse(.foreignCursor)` if the cursor belongs to another query,
  ///   `.invalidSchema(.notCodable)` if the query sorts by a property that is not `Codable`, and
  ///   the errors of ``RecordQuery/find(in:_:)``.
  /// - Complexity: Same as ``RecordQuery/find(in:_:)`` for a query with the limit of a page and one
  ///   more condition, which an index serves as well as the order. If the order contains a date
  ///   that SQLite stores as text or as seconds since 1970, Kinship sorts the rows after the
  ///   cursor.
  public func page<R: GraphRecord>(
    _ query: RecordQuery<R>, size: Int, after cursor: PageCursor<R>? = nil,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> Page<R> {
    let paging = Paging(query, size, options)
    let passed = cursor?.count ?? 0
    let rest = query.limit.map { max(0, $0 - passed) } ?? .max
    let part = try paging.part(of: paging.query, from: cursor) { $0 }
    return try await read(paging, part, rest: rest, from: cursor) { records in
      (passed, passed + records.count)
    }
  }

  /// Returns a page of a query's result: the last, or the one before a cursor.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - size: The largest number of records, at least 1.
  ///   - cursor: The start of the next page; `nil` for the last page.
  ///   - options: The options for reading; a page is never partial.
  /// - Returns: The page, in the order of the query. An empty page begins where it would end.
  /// - Throws: The errors of ``page(_:size:after:_:)``.
  /// - Complexity: Same as ``page(_:size:after:_:)``. The last page of a query with an offset
  ///   or a limit costs as much as the whole result.
  public func page<R: GraphRecord>(
    _ query: RecordQuery<R>, size: Int, before cursor: PageCursor<R>?,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> Page<R> {
    let paging = Paging(query, size, options)
    if cursor == nil, !query.isUnlimited {
      let all = try await find(query, paging.options)
      let records = Array(all.suffix(paging.size))
      return try paging.page(
        records, from: nil, hasMore: records.count < all.count,
        (all.count - records.count, all.count))
    }
    let part = try paging.part(of: paging.query.reversed, from: cursor) { $0.reversed }
    let passed = cursor?.count ?? 0
    return try await read(
      paging, part, rest: query.isUnlimited ? .max : passed, from: cursor, isReversed: true
    ) { records in (max(0, passed - records.count), passed) }
  }

  /// Returns the first records of a part of a query's result.
  private func read<R: GraphRecord>(
    _ paging: Paging<R>, _ part: RecordQuery<R>, rest: Int, from cursor: PageCursor<R>?,
    isReversed: Bool = false, _ counts: ([R]) -> (before: Int, after: Int)
  ) async throws -> Page<R> {
    let size = min(paging.size, rest)
    // One extra record shows whether there are more.
    let found =
      size == 0
      ? []
      : try await find(part.limited(to: size == rest ? size : size + 1), paging.options)
    let records = Array(found.prefix(size))
    return try paging.page(
      isReversed ? records.reversed() : records, from: cursor, hasMore: found.count > size,
      counts(records))
  }
}

/// The division of a query's result into pages.
private struct Paging<R: GraphRecord> {
  /// The query, with a total order.
  let query: RecordQuery<R>
  let size: Int
  private(set) var options: ReadOptions
  private let fingerprint: UInt64

  init(_ query: RecordQuery<R>, _ size: Int, _ options: ReadOptions) {
    self.query = query.total
    self.options = options
    // Whether there are more records is known by their number.
    self.options.onFailure = nil
    self.size = min(size.checked(atLeast: 1, "size"), .max - 1)
    fingerprint = self.query.fingerprint
  }

  /// Returns a query for the records after a position, or for all if there is none.
  func part(
    of query: RecordQuery<R>, from cursor: PageCursor<R>?,
    _ place: (SortPosition<R>) -> SortPosition<R>
  ) throws(KinshipError) -> RecordQuery<R> {
    guard let cursor else { return query }
    // Q2: a page begins after a record, not after a number of records.
    return query.following(place(try cursor.position(in: self.query, fingerprint)))
  }

  /// Returns a page, with the number of records before it and up to its end.
  func page(
    _ records: [R], from cursor: PageCursor<R>?, hasMore: Bool, _ counts: (before: Int, after: Int)
  ) throws -> Page<R> {
    Page(
      records: records,
      start: try records.first.map { try place(at: $0, counts.before) } ?? cursor,
      end: try records.last.map { try place(at: $0, counts.after) } ?? cursor, hasMore: hasMore)
  }

  private func place(at record: R, _ count: Int) throws -> PageCursor<R> {
    try PageCursor(record, count: count, in: query, fingerprint)
  }
}

/// A part of a query's result, with its start and its end.
public struct Page<R: GraphRecord>: Sendable {
  /// The records, in the order of the query.
  public let records: [R]
  /// The position before the first record, for the previous page; `nil` if there never were any
  /// records.
  public let start: PageCursor<R>?
  /// The position after the last record, for the next page; `nil` if there never were any records.
  public let end: PageCursor<R>?
  /// Whether there are more records in the direction in which the page was read.
  public let hasMore: Bool
}

extension Page: Equatable where R: Equatable {}
