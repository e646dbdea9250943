/// A condition on records that can be evaluated once the related records are known.
protocol RelatedCondition<R>: Sendable {
  associatedtype R: GraphRecord
  associatedtype Asked: GraphRecord
  associatedtype Found: Hashable & Sendable

  /// The query for the others.
  var query: RecordQuery<Asked> { get }
  /// The property of each of them that must be known.
  var property: any KeyPath<Asked, Found> & Sendable { get }
  /// A text that differs for other conditions, and has the same meaning in any process.
  var text: String { get }
  /// The error if the condition is evaluated before it is resolved.
  var unresolved: KinshipError { get }

  /// The condition, once it is known.
  func filter(_ found: Set<Found>) -> RecordFilter<R>
}

/// A filter with conditions on related records: the queries that come first, and the filter that
/// results from their answers.
struct RelatedFilter<R: GraphRecord>: Sendable {
  /// The conditions whose queries must be answered.
  let conditions: [any RelatedCondition<R>]
  /// A text that differs for other filters, and has the same meaning in any process.
  let text: String
  /// Makes the filter from the resolved conditions.
  private let make: @Sendable (ArraySlice<RecordFilter<R>>) -> RecordFilter<R>

  private init(
    _ conditions: [any RelatedCondition<R>], _ text: String,
    make: @escaping @Sendable (ArraySlice<RecordFilter<R>>) -> RecordFilter<R>
  ) {
    (self.conditions, self.text, self.make) = (conditions, text, make)
  }

  /// One condition.
  init(_ condition: some RelatedCondition<R>) {
    self.init([condition], condition.text) { $0.first ?? .all }
  }

  /// A filter that may have none.
  private init(_ filter: RecordFilter<R>) {
    self = filter.related ?? RelatedFilter([], filter.text) { _ in filter }
  }

  /// Two filters that are joined; `nil` if neither has a condition on related records.
  init?(
    _ left: RecordFilter<R>, _ word: String, _ right: RecordFilter<R>,
    join: @escaping @Sendable (RecordFilter<R>, RecordFilter<R>) -> RecordFilter<R>
  ) {
    if left.related == nil, right.related == nil { return nil }
    let (left, right) = (RelatedFilter(left), RelatedFilter(right))
    let count = left.conditions.count
    self.init(
      left.conditions + right.conditions, "(\(left.text) \(word) \(right.text))"
    ) { filters in
      join(left.make(filters.prefix(count)), right.make(filters.dropFirst(count)))
    }
  }

  /// The opposite.
  var negated: RelatedFilter { RelatedFilter(conditions, "!(\(text))") { [make] in !make($0) } }

  /// Returns the filter with its resolved conditions, in their order.
  func resolved(_ filters: [RecordFilter<R>]) -> RecordFilter<R> { make(filters[...]) }

  /// Throws because the filter is not resolved.
  func refuse() throws(KinshipError) {
    if let condition = conditions.first { throw condition.unresolved }
  }
}
