/// A question for records of one type: in which order, from where on, how many.
///
/// ```swift
/// let firstTwenty = RecordQuery<Person>().sorted(by: \.name).sorted(by: \.id).limited(to: 20)
/// let persons = try await store.fetch(firstTwenty)
/// ```
///
/// Without a limit it asks for all records of the type. Records that the terms leave equal come in
/// any order: sort by the id last where that matters, as it does between pages. A number that is
/// none counts as smaller than any other.
public struct RecordQuery<R: GraphRecord>: Sendable {
  /// What to sort by, the most important first.
  public private(set) var order: [SortTerm<R>] = []
  /// How many records to leave out at the front, 0 or more.
  public private(set) var offset = 0
  /// The largest number of records, 0 or more; `nil` for all.
  public private(set) var limit: Int?

  /// Creates a query for all records, in any order.
  public init() {}

  /// The query with one more property to sort by, where those before leave records equal.
  ///
  /// Strings are compared as Swift compares them. A store may compare their bytes instead: the
  /// same, but for characters that Unicode can write in several ways.
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
  ///   - property: The property, which may have no value: that counts as smaller than any.
  ///   - direction: Which values come first.
  /// - Returns: The query.
  public func sorted<Value: Comparable & Sendable>(
    by property: any KeyPath<R, Value?> & Sendable, _ direction: SortTerm<R>.Direction = .ascending
  ) -> RecordQuery {
    sorted(by: SortTerm(property, direction))
  }

  private func sorted(by term: SortTerm<R>) -> RecordQuery {
    var query = self
    query.order.append(term)
    return query
  }

  /// The query for a number of records at most.
  ///
  /// - Parameter count: The largest number of records; a negative number counts as 0.
  /// - Returns: The query.
  public func limited(to count: Int) -> RecordQuery {
    var query = self
    query.limit = max(0, count)
    return query
  }

  /// The query without the records at the front.
  ///
  /// - Parameter count: How many are left out; a negative number counts as 0.
  /// - Returns: The query.
  public func skipping(_ count: Int) -> RecordQuery {
    var query = self
    query.offset = max(0, count)
    return query
  }

  /// The answer to the query, if some records are all that there are.
  ///
  /// For backing stores that have no order of their own.
  ///
  /// - Parameter records: All records.
  /// - Returns: Those that the query asks for, in its order; records that its terms leave equal
  ///   stay in the order in which they came.
  /// - Complexity: O(*n* log *n*) in the records if there is an order, else O(*n*).
  public func answer(from records: some Sequence<R>) -> [R] {
    var sorted = Array(records)
    if !order.isEmpty { sorted.sort(by: areInIncreasingOrder) }
    let rest = sorted.dropFirst(offset)
    return Array(limit.map { rest.prefix($0) } ?? rest)
  }

  /// Whether a record comes before another.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  /// - Returns: Whether the first comes before the second: false if the terms leave them equal.
  public func areInIncreasingOrder(_ first: R, _ second: R) -> Bool {
    for term in order {
      if let isBefore = term.isBefore(first, second) { return isBefore }
    }
    return false
  }
}
