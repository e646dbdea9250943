/// A part of a query's answer, and where it begins and ends.
public struct Page<R: GraphRecord>: Sendable {
  /// The records, in the order of the query.
  public let records: [R]
  /// The place before the first record, for the page that comes before; `nil` if there are no
  /// records, and never were.
  public let start: PageCursor<R>?
  /// The place after the last record, for the page that comes after; `nil` if there are no records,
  /// and never were.
  public let end: PageCursor<R>?
  /// Whether there are more records, in the direction in which the page was read.
  public let hasMore: Bool
}

extension Page: Equatable where R: Equatable {}
