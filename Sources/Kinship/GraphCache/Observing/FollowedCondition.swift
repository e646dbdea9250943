/// A condition on related records, as the observer of a query follows it.
protocol FollowedCondition<R> {
  associatedtype R: GraphRecord

  /// What it is by now; `nil` before it was asked for.
  var filter: RecordFilter<R>? { get }
  /// Who observes what it is made of.
  var observers: [Observer] { get }

  /// Brings it up to date.
  ///
  /// - Returns: Whether it is another.
  nonisolated(nonsending) mutating func follow(in cache: GraphCache) async throws -> Bool
}

/// A condition whose query is observed as any other is.
struct ConditionSubject<Condition: RelatedCondition>: FollowedCondition {
  private let condition: Condition
  private var answer: QuerySubject<Condition.Asked>
  private var observer: Observer?
  private var found: Set<Condition.Found>?

  init(_ condition: Condition) {
    self.condition = condition
    answer = QuerySubject(condition.query, RecordComparison())
  }

  var filter: RecordFilter<Condition.R>? { found.map(condition.filter) }

  var observers: [Observer] { answer.related + (observer.map { [$0] } ?? []) }

  nonisolated(nonsending) mutating func follow(in cache: GraphCache) async throws -> Bool {
    let records: RecordList<Condition.Asked>
    if let observer {
      guard let change = try await answer.next(observer) else { return false }
      records = change.value
    } else {
      let (observer, change) = try await answer.start(in: cache)
      self.observer = observer
      records = change.value
    }
    let property = PropertyReader(condition.property)
    let found = Set(records.lazy.map { property($0) })
    if found == self.found { return false }
    self.found = found
    return true
  }
}
