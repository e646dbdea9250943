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
  private var answer: FollowedSubject<ResultList<Condition.Asked>, ListDiff<Condition.Asked>>
  private var found: Set<Condition.Found>?

  init(_ condition: Condition) {
    self.condition = condition
    answer = FollowedSubject(QuerySubject(condition.query))
  }

  var filter: RecordFilter<Condition.R>? { found.map(condition.filter) }

  var observers: [Observer] { answer.observers }

  nonisolated(nonsending) mutating func follow(in cache: GraphCache) async throws -> Bool {
    guard let change = try await answer.next(in: cache) else { return false }
    let property = PropertyReader(condition.property)
    let found = Set(change.value.lazy.map { property($0) })
    if found == self.found { return false }
    self.found = found
    return true
  }
}
