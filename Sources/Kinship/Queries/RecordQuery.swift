#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question for records of one type: which, in which order, from where on, how many.
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
/// Without a filter it asks for all records of the type, and without a limit for all that there
/// are. Its order is total: records that are equal in all that it sorts by come in the order of
/// their ids, and so do all where it sorts by nothing but leaves some out at the front or at the
/// end. It is the same from every store:
///
/// - Texts are sorted by their bytes in UTF-8, which is the order of Unicode's scalars: as Swift
///   sorts them, but for those that Unicode can write in several ways.
/// - A number that is none counts as smaller than any other.
/// - Ids of the standard library's types have its order, and others that of their raw values or of
///   their stored properties, the first one first.
public struct RecordQuery<R: GraphRecord>: Sendable {
  /// Which records; ``RecordFilter/all`` for all of the type.
  public private(set) var filter = RecordFilter<R>.all
  /// What to sort by, the most important first; the id last, unless the records may come in any
  /// order.
  public var order: [SortTerm<R>] { sorting }
  private var sorting: [SortTerm<R>] = [] {
    didSet { terms = sorting.map { QueryShape.Term($0) } }
  }
  /// The order, without the type of the records.
  private(set) var terms: [QueryShape.Term] = []
  /// Whether the last term was not asked for.
  private var hasTieBreak = false
  /// How many records to leave out at the front, 0 or more.
  public private(set) var offset = 0
  /// The largest number of records, 0 or more; `nil` for all.
  public private(set) var limit: Int?
  /// Whether its records pass through memory.
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

  /// The query for those of its records that fulfil a predicate as well.
  ///
  /// - Parameter predicate: The predicate.
  /// - Returns: The query.
  public func filtered(by predicate: Predicate<R>) -> RecordQuery {
    filtered(by: RecordFilter(predicate))
  }

  /// The query for those of its records that fulfil a condition as well, of all that its offset and
  /// limit would leave out, too.
  ///
  /// - Parameter filter: The condition.
  /// - Returns: The query.
  public func filtered(by filter: RecordFilter<R>) -> RecordQuery {
    var query = self
    query.filter = self.filter && filter
    return query
  }

  /// The query with another condition in place of its own.
  func asking(for filter: RecordFilter<R>) -> RecordQuery {
    var query = self
    query.filter = filter
    return query
  }

  /// The query for all records of the type in the order of this one.
  ///
  /// For backing stores that know orders and no filters: of its answer, ``answer(from:)`` makes
  /// that to this query.
  public var unfiltered: RecordQuery {
    var query = self
    query.filter = .all
    query.offset = 0
    query.limit = nil
    return query
  }

  /// The query for the same records from the last to the first, of which its offset and limit leave
  /// out others.
  public var reversed: RecordQuery {
    var query = self
    query.sorting = order.map { $0.reversed }
    return query
  }

  /// The query with one more property to sort by, where those before leave records equal.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - direction: Which values come first.
  /// - Returns: The query.
  public func sorted<Value: Comparable & Sendable>(
    by property: any KeyPath<R, Value> & Sendable, _ direction: SortTerm<R>.Direction = .ascending
  ) -> RecordQuery {
    sorted(by: SortTerm(property, direction))
  }

  /// The query with one more property to sort by, where those before leave records equal.
  ///
  /// - Parameters:
  ///   - property: The property, which may have no value.
  ///   - direction: Which values come first.
  ///   - nils: Where records come that have none; by default they count as smaller than any, and
  ///     come first in ascending order and last in descending.
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

  /// The query with a term before all that it sorts by, unless it begins with its property.
  func sorted(firstBy term: SortTerm<R>) -> RecordQuery {
    if let first = order.first, first.property as AnyKeyPath == term.property { return self }
    var query = self
    query.sorting.insert(term, at: 0)
    return query.total
  }

  /// The query in an order that leaves no records equal.
  var total: RecordQuery {
    if order.last?.isTotal == true { return self }
    var query = self
    query.sorting.append(.tieBreak)
    query.hasTieBreak = true
    return query
  }

  /// The query for a number of records at most.
  ///
  /// - Parameter count: The largest number of records, at least 0.
  /// - Returns: The query.
  public func limited(to count: Int) -> RecordQuery {
    var query = self
    query.limit = count.checked(atLeast: 0, "count")
    return query.total
  }

  /// The query without the records at the front.
  ///
  /// - Parameter count: How many are left out, at least 0.
  /// - Returns: The query.
  public func skipping(_ count: Int) -> RecordQuery {
    var query = self
    query.offset = count.checked(atLeast: 0, "count")
    return query.total
  }

  /// The query for records that pass through memory and leave there what is there.
  ///
  /// ```swift
  /// for track in try await cache.find(RecordQuery<Track>().passing) { total += track.seconds }
  /// ```
  ///
  /// They come in at the cold end of the order of use: where there is no room, they are evicted at
  /// once, and nothing else is. Those that are in memory keep their places in the order. What a
  /// transaction or somebody else has asked for at the same time is used as always.
  public var passing: RecordQuery {
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

  /// The query for all that it asks for, what its offset leaves out too, and some records more.
  func widened(by count: Int) -> RecordQuery {
    if isWhole { return self }
    var query = self
    query.offset = 0
    query.limit = end.flatMap { end in
      let (wide, overflows) = end.addingReportingOverflow(count)
      return overflows ? nil : wide
    }
    return query
  }

  /// The query without the records up to a place in its order.
  func following(_ position: SortPosition<R>) -> RecordQuery {
    var query = filtered(by: position.follows)
    query.offset = 0
    return query
  }

  /// A query in the order of ids without the records up to one of these.
  package func following(_ id: R.ID) -> RecordQuery {
    following(SortPosition(keys: [TypedSortKey<R.ID>(value: id)], in: order))
  }

  /// The answer to the query, if some records are all that there are.
  ///
  /// For backing stores that have no order or no filter of their own.
  ///
  /// - Parameter records: All records, or all that fulfil its filter.
  /// - Returns: Those that the query asks for, in its order.
  /// - Throws: `KinshipError.filterFailed` if its filter cannot be tried for a record.
  /// - Complexity: O(*n* log *n*) in the records that fulfil its filter, if there is an order, and
  ///   O(*n*) in all.
  public func answer(from records: some Sequence<R>) throws(KinshipError) -> [R] {
    try arranged(filter.matching(in: Array(records)))
  }

  /// The answer to the query, if some records are all that fulfil its filter.
  ///
  /// Of many records of which few are wanted, these alone are kept in order.
  func arranged(_ matching: [R]) -> [R] {
    let end = end ?? .max
    if order.isEmpty { return Self.slice(matching, offset, end) }
    if 0..<64 ~= end, end < matching.count {
      return Self.slice(first(end, of: matching), offset, end)
    }
    return Self.slice(matching.sorted(by: areInIncreasingOrder), offset, end)
  }

  private static func slice(_ records: [R], _ start: Int, _ end: Int) -> [R] {
    let end = min(end, records.count)
    return start == 0 && end == records.count ? records : Array(records[min(start, end)..<end])
  }

  /// The first records in the order of the query.
  ///
  /// - Complexity: O(*n* log *m*) for *m* of *n* records, if few of them come in descending order.
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

  /// How many records are left of some by offset and limit.
  package func count(of matching: Int) -> Int { min(max(0, matching - offset), limit ?? .max) }

  /// Whether a record comes before another.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  /// - Returns: Whether the first comes before the second: false for the same record, or without an
  ///   order.
  public func areInIncreasingOrder(_ first: R, _ second: R) -> Bool {
    for term in order {
      switch term.precedence(of: first, to: second) {
      case .before: return true
      case .after: return false
      case .same: continue
      }
    }
    return false
  }
}
