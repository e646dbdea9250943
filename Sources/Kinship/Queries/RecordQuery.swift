#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A query for records of one type: a filter, an order, an offset and a limit.
///
/// ```swift
/// extension RecordQuery<Track> {
///   static func long(_ genre: Ref<Genre>) -> RecordQuery {
///     RecordQuery(#Predicate { $0.seconds > 300 && $0.genre == genre })
///       .sorted(by: \.name)
///   }
/// }
/// ```
///
/// Without a filter, it finds all records of the type; without a limit, all that fulfil the filter.
/// Its order is total: records that are equal in all sort terms are in the order of their ids. A
/// query without sort terms that has an offset or a limit sorts by id too. The order is the same
/// from every store:
///
/// - Texts are sorted by their bytes in UTF-8, which is the order of Unicode's scalars. Swift sorts
///   the same way, except for texts that Unicode can write in several ways.
/// - NaN counts as smaller than any other number.
/// - Ids of the standard library's types have its order. Others have the order of their raw values
///   or of their stored properties, the first one first.
public struct RecordQuery<R: GraphRecord>: Sendable {
  /// The filter; ``RecordFilter/all`` for all records of the type.
  public private(set) var filter = RecordFilter<R>.all
  /// The sort terms, the most important first; the id last, unless the records may be in any order.
  public var order: [SortTerm<R>] { sorting }
  private var sorting: [SortTerm<R>] = [] {
    didSet {
      terms = sorting.map { QueryShape.Term($0) }
      // The start is a position in the order that was.
      if start != nil { (filter, start) = (selection, nil) }
    }
  }
  /// The order, without the type of the records.
  private(set) var terms: [QueryShape.Term] = []
  /// Whether the last term is the tie-break that was added to the caller's terms.
  private var hasTieBreak = false
  /// The position after which the records begin, in the query's order; `nil` for the front.
  ///
  /// Pages and windows begin after the last record of the one before them. The offset counts from
  /// there. To read backwards, the cache reverses the order.
  public private(set) var start: SortPosition<R>?
  /// The number of records to leave out at the front, 0 or more.
  public private(set) var offset = 0
  /// The largest number of records, 0 or more; `nil` for all.
  public private(set) var limit: Int?
  /// Whether the query is marked `passing`: its records leave the recency order alone.
  private(set) var isPassing = false

  /// Creates a query for all records, in any order.
  public init() {}

  /// Creates a query for the records that fulfil a predicate, in any order.
  ///
  /// - Parameter predicate: The predicate.
  public init(_ predicate: Predicate<R>) { self.init(RecordFilter(predicate)) }

  /// Creates a query for the records that fulfil a condition, in any order.
  ///
  /// - Parameter filter: The condition.
  public init(_ filter: RecordFilter<R>) { self.filter = filter }

  /// Returns the query with a further predicate that its records must fulfil.
  ///
  /// - Parameter predicate: The predicate.
  /// - Returns: The query.
  public func filtered(by predicate: Predicate<R>) -> RecordQuery {
    filtered(by: RecordFilter(predicate))
  }

  /// Returns the query with a further condition that its records must fulfil.
  ///
  /// The condition is applied before the offset and limit.
  ///
  /// - Parameter filter: The condition.
  /// - Returns: The query.
  public func filtered(by filter: RecordFilter<R>) -> RecordQuery {
    var query = self
    query.filter = self.filter && filter
    return query
  }

  /// Returns the query with another filter.
  func asking(for filter: RecordFilter<R>) -> RecordQuery {
    var query = self
    query.filter = filter
    return query
  }

  /// The query for all records of the type in the order of this one.
  ///
  /// For backing stores that support orders and no filters: pass its answer to ``answer(from:)`` to
  /// get the answer to this query.
  public var unfiltered: RecordQuery {
    var query = self
    query.filter = .all
    return query.batch(after: nil, upTo: nil)
  }

  /// The query in reversed order; its offset and limit then leave out other records.
  public var reversed: RecordQuery {
    var query = self
    query.sorting = order.map { $0.reversed }
    return query
  }

  /// Returns the query with one more sort term, for records that are equal in the terms before it.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - direction: The direction: which values are first.
  /// - Returns: The query.
  public func sorted<Value: Comparable & Sendable>(
    by property: any KeyPath<R, Value> & Sendable, _ direction: SortTerm<R>.Direction = .ascending
  ) -> RecordQuery {
    sorted(by: SortTerm(property, direction))
  }

  /// Returns the query with one more sort term, for records that are equal in the terms before it.
  ///
  /// - Parameters:
  ///   - property: The property, which may be `nil`.
  ///   - direction: The direction: which values are first.
  ///   - nils: The position of records whose property is `nil`; by default `nil` is smaller than
  ///     any value: first in ascending order and last in descending order.
  /// - Returns: The query.
  public func sorted<Value: Comparable & Sendable>(
    by property: any KeyPath<R, Value?> & Sendable, _ direction: SortTerm<R>.Direction = .ascending,
    nils: SortTerm<R>.Nils? = nil
  ) -> RecordQuery {
    sorted(by: SortTerm(property, direction, nils))
  }

  private func sorted(by term: SortTerm<R>) -> RecordQuery {
    var query = self
    if query.hasTieBreak {
      query.sorting.removeLast()
    } else if query.order.last?.isTotal == true {
      return self
    }
    query.sorting.append(term)
    query.hasTieBreak = false
    return query.total
  }

  /// Returns the query with a term before its own sort terms, unless it begins with that property.
  func sorted(firstBy term: SortTerm<R>) -> RecordQuery {
    if let first = order.first, first.property as AnyKeyPath == term.property { return self }
    var query = self
    query.sorting.insert(term, at: 0)
    return query.total
  }

  /// The query in an order that leaves no records equal.
  package var total: RecordQuery {
    if order.last?.isTotal == true { return self }
    var query = self
    query.sorting.append(.tieBreak)
    query.hasTieBreak = true
    return query
  }

  /// Returns the query limited to a number of records.
  ///
  /// - Parameter count: The largest number of records, at least 0.
  /// - Returns: The query.
  public func limited(to count: Int) -> RecordQuery {
    var query = self
    query.limit = count.checked(atLeast: 0, "count")
    return query.total
  }

  /// Returns the query without the records at the front.
  ///
  /// - Parameter count: The number of records to leave out, at least 0.
  /// - Returns: The query.
  public func skipping(_ count: Int) -> RecordQuery {
    var query = self
    query.offset = count.checked(atLeast: 0, "count")
    return query.total
  }

  /// The query as a one-off scan: see ``ReadOptions/isPassing``.
  var passing: RecordQuery {
    var query = self
    query.isPassing = true
    return query
  }

  /// The query in any order.
  package var unordered: RecordQuery {
    var query = self
    query.sorting = []
    query.hasTieBreak = false
    return query
  }

  /// Returns the query without its offset and with some records more at the end.
  func widened(by count: Int) -> RecordQuery {
    if isUnlimited { return self }
    var query = self
    query.offset = 0
    query.limit = end.flatMap { end in
      let (wide, overflows) = end.addingReportingOverflow(count)
      return overflows ? nil : wide
    }
    return query
  }

  /// Returns the query without the records up to a position in its order.
  package func following(_ position: SortPosition<R>) -> RecordQuery {
    batch(after: position, upTo: limit)
  }

  /// Returns the query without its offset, with another start and limit.
  package func batch(after start: SortPosition<R>?, upTo limit: Int?) -> RecordQuery {
    var query = self
    (query.start, query.offset, query.limit) = (start, 0, limit)
    return query
  }

  /// The filter, and the condition that a record is after the start.
  package var selection: RecordFilter<R> { start.map { filter && $0.follows } ?? filter }

  /// Returns a query in the order of ids without the records up to one of these.
  package func following(_ id: R.ID) -> RecordQuery {
    following(SortPosition(keys: [TypedSortKey<R.ID>(value: id)], in: order))
  }

  /// Returns the answer to the query from a complete list of records.
  ///
  /// Use it in backing stores that have no order or no filter of their own.
  ///
  /// - Parameter records: All records, or all that fulfil its filter.
  /// - Returns: Those that the query finds, in its order.
  /// - Throws: `KinshipError.filterFailed` if the filter cannot be evaluated for a record.
  /// - Complexity: O(*n* log *n*) in the records that fulfil its filter, if there is an order, and
  ///   O(*n*) in all.
  public func answer(from records: some Sequence<R>) throws(KinshipError) -> [R] {
    try arranged(selection.matching(in: Array(records)))
  }

  /// Returns the answer to the query, if some records are all that fulfil its filter.
  ///
  /// If only a few of many records are wanted, only these are sorted.
  func arranged(_ matching: [R]) -> [R] {
    if order.isEmpty { return sliced(matching) }
    if let end, end < min(64, matching.count) { return sliced(first(end, of: matching)) }
    return sliced(inOrder(matching))
  }

  /// Returns records in the order of the query.
  func inOrder(_ records: [R]) -> [R] {
    // A term is many words long: copying it for each record would dominate the time.
    let words = order.map { $0.words }
    let numbers = SortTerm.arrange(records.count, by: order) {
      words[$1](records, $0, $2)
    } isBefore: {
      areInIncreasingOrder(records[$0], records[$1])
    }
    return numbers.map { records[$0] }
  }

  /// Returns the first records in the order of the query.
  ///
  /// - Complexity: O(*n* log *m*) for *m* of *n* records, if few of them are in descending order.
  private func first(_ count: Int, of records: [R]) -> [R] {
    var first: [R] = []
    for record in records {
      if first.count == count {
        guard let last = first.last, areInIncreasingOrder(record, last) else { continue }
        first.removeLast()
      }
      let place = partitionPoint(upTo: first.count) { areInIncreasingOrder(record, first[$0]) }
      first.insert(record, at: place)
    }
    return first
  }

  /// Returns the number of records that offset and limit leave of some.
  package func count(of matching: Int) -> Int { min(max(0, matching - offset), limit ?? .max) }

  /// Returns whether a record is before another in the query's order.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  /// - Returns: Whether the first is before the second: `false` for the same record, or without an
  ///   order.
  public func areInIncreasingOrder(_ first: R, _ second: R) -> Bool {
    precedence(of: first, to: second) == .before
  }

  /// Returns the position of a record relative to another.
  func precedence(of first: R, to second: R) -> Precedence {
    for term in order {
      let precedence = term.precedence(of: first, to: second)
      if precedence != .same { return precedence }
    }
    return .same
  }

  /// ``areInIncreasingOrder(_:_:)`` for many records: it does not copy the term for each, see
  /// `kinship-bench views --only many-lists`.
  var isBefore: @Sendable (R, R) -> Bool {
    guard let term = order.first, order.count == 1 else { return areInIncreasingOrder }
    return { term.precedence(of: $0, to: $1) == .before }
  }
}
