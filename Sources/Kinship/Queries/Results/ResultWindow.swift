/// The records of a part of a query's answer, with its beginning and end.
struct ResultWindow<R: GraphRecord>: Sendable {
  /// The positions at which the records before it end and those after it begin; `nil` if unknown.
  struct Ends: Sendable {
    let first: SortPosition<R>?
    let last: SortPosition<R>?
  }

  /// In the order of the query; fewer than there were if some no longer exist.
  let records: [R]
  let ends: Ends
  /// Whether the neighbour beyond it, which is held, still begins where this window ends.
  let fits: Bool

  /// Creates the window from an answer; it compares records, so do not create it under a lock.
  init(_ found: [R], to request: ResultWindows<R>.Request, in query: RecordQuery<R>) {
    let query = query.total
    let part = found.prefix(request.count)
    records = request.isReversed ? part.reversed() : Array(part)
    // If the window is empty, there is nothing before it or after it either.
    let (place, isReversed) = (request.neighbour, request.isReversed)
    ends = Ends(
      first: records.first.map { SortPosition(of: $0, in: query.order) }
        ?? (isReversed ? place : nil),
      last: records.last.map { SortPosition(of: $0, in: query.order) }
        ?? (isReversed ? nil : place))
    guard let beyond = request.beyond, let following = found.dropFirst(request.count).first else {
      fits = false
      return
    }
    fits =
      following.id == beyond.id && !query.areInIncreasingOrder(following, beyond)
      && !query.areInIncreasingOrder(beyond, following)
  }

  func record(_ offset: Int) -> R? { records.indices.contains(offset) ? records[offset] : nil }
}
