/// The tokens by which an API continues its lists, for a store whose API knows no other positions.
///
/// Such an API returns a page and a token for the next one. The cache asks a store for the records
/// after a position instead. This type remembers which token leads to which position:
///
/// ```swift
/// func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
///   try await tokens.records(of: query) { token in
///     let page = try await api.list(R.self, filter: nil, token: token)
///     return (page.items, page.next)
///   }
/// }
/// ```
///
/// A reader that continues where a page ended causes one or two calls of the API. A reader that
/// begins elsewhere, or in another process, causes a call for each page from the nearest known
/// position on, or from the front.
public final class PageTokens<Token: Sendable>: Sendable {
  /// A known position in the order of a query.
  private struct KnownPosition: Sendable {
    let keys: [any SortKey]
    let token: Token
  }

  /// By the fingerprints of queries: the known positions, in their order.
  private let places = Lock<[UInt64: [KnownPosition]]>([:])
  private let capacity: Int

  /// Creates an empty set of tokens.
  ///
  /// - Parameter capacity: The largest number of queries whose tokens are remembered, at least 1.
  public init(capacity: Int = 100) {
    self.capacity = capacity.checked(atLeast: 1, "capacity")
  }

  /// Returns the records of a query, page by page.
  ///
  /// - Parameters:
  ///   - query: The query. The API must filter and sort as it says; this method applies its start,
  ///     offset and limit.
  ///   - fetch: Fetches a page: the first one for `nil`, or the one that a token leads to. It
  ///     returns the records and the token of the next page; `nil` for the last page.
  /// - Returns: The records.
  /// - Throws: The errors of the closure. If a remembered token was involved, the tokens of the
  ///   query are dropped: the next call begins at the front.
  /// - Complexity: One page for each one that the records are on, if their start is the end of a
  ///   page that was fetched before.
  public func records<R: GraphRecord>(
    of query: RecordQuery<R>,
    fetching fetch: (_ token: Token?) async throws -> (records: [R], next: Token?)
  ) async throws -> [R] {
    let key = query.fingerprint
    let end = query.end ?? .max
    var found: [R] = []
    var token = query.start.flatMap { knownToken(before: $0, in: query.order, key) }
    do {
      while found.count < end {
        let page = try await fetch(token)
        found += query.start.map { start in page.records.filter(start.isBefore) } ?? page.records
        guard let next = page.next else { break }
        if let last = page.records.last { remember(next, after: last, in: query.order, key) }
        token = next
      }
    } catch {
      if token != nil { places.withLock { $0[key] = nil } }
      throw error
    }
    return query.sliced(found)
  }

  /// Returns the token of the last known position that is not after another one.
  private func knownToken<R: GraphRecord>(
    before start: SortPosition<R>, in order: [SortTerm<R>], _ key: UInt64
  ) -> Token? {
    let places = places.withLock { $0[key] } ?? []
    // Do not compare values under the lock: that runs the user's code.
    let count = partitionPoint(upTo: places.count) { start.isBefore(keys: places[$0].keys) }
    return count == 0 ? nil : places[count - 1].token
  }

  /// Remembers the token of the page after a record.
  private func remember<R: GraphRecord>(
    _ token: Token, after record: R, in order: [SortTerm<R>], _ key: UInt64
  ) {
    if order.isEmpty { return }
    let position = SortPosition(of: record, in: order)
    let known = places.withLock { $0[key] } ?? []
    // Tokens of later positions may belong to the list as it was.
    let count = partitionPoint(upTo: known.count) {
      !SortPosition(keys: known[$0].keys, in: order).isBefore(keys: position.keys)
    }
    let places =
      known.prefix(count) + [KnownPosition(keys: position.keys, token: token)]
      + known.dropFirst(count).drop { !position.isBefore(keys: $0.keys) }
    self.places.withLock { all in
      if all[key] == nil, all.count >= capacity { all.removeAll() }
      all[key] = Array(places)
    }
  }
}
