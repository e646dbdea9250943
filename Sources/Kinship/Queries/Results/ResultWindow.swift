/// The records of a part of a query's answer, and where it begins and ends.
struct ResultWindow<R: GraphRecord>: Sendable {
  /// Where the records before it end, and those after it begin; `nil` where that is not known.
  struct Ends: Sendable {
    let first: SortPosition<R>?
    let last: SortPosition<R>?
  }

  /// In the order of the query; fewer than there were if some are there no longer.
  let records: [R]
  let ends: Ends
  /// Whether the neighbour beyond it, which is held, begins where this one ends by now.
  let fits: Bool

  /// Takes what was asked for; it compares records, and so must not be made under a lock.
  init(_ found: [R], to request: ResultWindows<R>.Request, in query: RecordQuery<R>) {
    let query = query.total
    let part = found.prefix(request.count)
    records = request.isReversed ? part.reversed() : Array(part)
    // Where there is nothing, there is nothing before it or after it either.
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
