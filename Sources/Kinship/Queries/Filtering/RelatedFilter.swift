/// A condition on records that can be tried once it is known which some others are.
protocol RelatedCondition<R>: Sendable {
  associatedtype R: GraphRecord
  associatedtype Asked: GraphRecord
  associatedtype Found: Hashable & Sendable

  /// The query for the others.
  var query: RecordQuery<Asked> { get }
  /// What must be known of each of them.
  var property: any KeyPath<Asked, Found> & Sendable { get }
  /// What tells the condition from others, in words that mean the same in any process.
  var text: String { get }
  /// What is thrown where the condition is tried before it is known.
  var unresolved: KinshipError { get }

  /// The condition, once it is known.
  func filter(_ found: Set<Found>) -> RecordFilter<R>
}

/// A filter with conditions on related records: what must be asked first, and the filter that it is
/// then.
struct RelatedFilter<R: GraphRecord>: Sendable {
  /// What must be asked.
  let conditions: [any RelatedCondition<R>]
  /// What tells the filter from others, in words that mean the same in any process.
  let text: String
  /// Makes the filter of those that the conditions have become.
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

  /// The filter, of those that its conditions have become, in their order.
  func resolved(_ filters: [RecordFilter<R>]) -> RecordFilter<R> { make(filters[...]) }

  /// Refuses to be tried before that.
  func refuse() throws(KinshipError) {
    if let condition = conditions.first { throw condition.unresolved }
  }
}
