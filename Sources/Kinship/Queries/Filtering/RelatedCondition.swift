/// A condition on records that can be evaluated once the related records are known.
protocol RelatedCondition<R>: Sendable {
  associatedtype R: GraphRecord
  associatedtype Asked: GraphRecord
  associatedtype Found: Hashable & Sendable

  /// The query for the others.
  var query: RecordQuery<Asked> { get }
  /// The property of each of them that must be known.
  var property: any KeyPath<Asked, Found> & Sendable { get }
  /// The condition, for those who read the filter.
  var description: FilterCondition.Related { get }
  /// The error if the condition is evaluated before it is resolved.
  var unresolved: KinshipError { get }

  /// The condition, once it is known.
  func filter(_ found: Set<Found>) -> RecordFilter<R>
}
