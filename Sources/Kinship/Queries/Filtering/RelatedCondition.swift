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
  /// Returns the condition, once the values of the property are known.
  var filter: @Sendable (Set<Found>) -> RecordFilter<R> { get }
}

extension RelatedCondition {
  /// The error if the condition is evaluated before it is resolved.
  var unresolved: KinshipError {
    let type: any GraphRecord.Type = description.isReferredTo ? Asked.self : R.self
    return .misuse(
      .unresolvedCondition(type: type.recordName, property: description.property.name))
  }
}

/// A condition on the records that a query finds: the one conformance.
struct QueryCondition<R: GraphRecord, Asked: GraphRecord, Found: Hashable & Sendable>:
  RelatedCondition
{
  let query: RecordQuery<Asked>
  let property: any KeyPath<Asked, Found> & Sendable
  let description: FilterCondition.Related
  let filter: @Sendable (Set<Found>) -> RecordFilter<R>
}
