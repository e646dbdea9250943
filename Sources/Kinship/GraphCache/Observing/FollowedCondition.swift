/// A condition on related records, as a query's observer follows it.
protocol FollowedCondition<R>: Sendable {
  associatedtype R: GraphRecord

  /// The current filter; `nil` before the condition is first evaluated.
  var filter: RecordFilter<R>? { get }
  /// The observers of the records that it depends on.
  var observers: [Observer] { get }

  /// Brings it up to date.
  ///
  /// - Returns: Whether it has changed.
  nonisolated(nonsending) mutating func follow(in cache: GraphCache) async throws -> Bool
}

/// A condition whose query is observed like any other.
struct ConditionSubject<Condition: RelatedCondition>: FollowedCondition {
  private let condition: Condition
  private var answer: QuerySubject<Condition.Asked>
  private var observer: Observer?
  private var found: Set<Condition.Found>?

  init(_ condition: Condition) {
    self.condition = condition
    answer = QuerySubject(condition.query)
  }

  var filter: RecordFilter<Condition.R>? { found.map(condition.filter) }

  var observers: [Observer] { answer.related + (observer.map { [$0] } ?? []) }

  nonisolated(nonsending) mutating func follow(in cache: GraphCache) async throws -> Bool {
    let records: ResultList<Condition.Asked>
    if let observer {
      guard let change = try await answer.next(observer, RecordComparison()) else { return false }
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
