/// The rest of a graph from the records that a cache fetches: the relationships to follow, and the
/// number of generations.
///
/// A store that implements ``BackingStore/fetch(_:ids:following:)`` follows them itself, in one
/// call.
public struct FetchPlan: Sendable {
  let schema: GraphSchema
  private let plan: CompiledPlan
  /// The distance of the first fetched records from the root of the graph, in hops.
  private let start: Int
  /// The maximum number of records that are of use.
  public let limit: Int
  /// The types whose relationships are not followed.
  private var omitted: Set<TypeNumber> = []

  init(
    _ plan: CompiledPlan, from start: Int, of schema: GraphSchema, limit: Int
  ) {
    self.schema = schema
    self.plan = plan
    self.start = start
    self.limit = limit
  }

  /// Creates a plan as a cache would, to test a store.
  ///
  /// - Parameters:
  ///   - plan: The plan to follow from the records that are fetched.
  ///   - schema: The record types.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` or `.invalidSchema(.unknownRelationship)`
  ///   if the plan does not fit the schema.
  public init<Root: GraphRecord>(
    _ plan: Plan<Root>, of schema: GraphSchema
  ) throws(KinshipError) {
    self.init(
      try CompiledPlan(plan.rules, schema: schema), from: 0, of: schema, limit: plan.rules.budget)
  }

  /// Returns the plan without the relationships to types other than some.
  package func limited(toTypes isIncluded: (any GraphRecord.Type) -> Bool) -> FetchPlan {
    var plan = self
    plan.omitted.formUnion(schema.types.typeNumbers.filter { !isIncluded(schema.type($0)) })
    return plan
  }

  /// Returns the relationships of a type to follow, and their depths.
  ///
  /// - Parameter type: The record type.
  /// - Returns: Each relationship, with the number of hops from the first fetched records up to
  ///   which it leads, 1 or more; `Int.max` for one that is followed from every record that is
  ///   reached. None for a type that is not in the cache's schema.
  /// - Complexity: O(*n*) in the relationships of the type, and the plan's rules.
  public func relationships<R: GraphRecord>(
    of type: R.Type
  ) -> [(relationship: RecordRelationship<R>, generations: Int)] {
    guard let number = schema.number(of: type) else { return [] }
    return zip(R.relationships.elements, schema.relationships[number]).compactMap {
      if omitted.contains($1.target) { return nil }
      let limit = plan.limit(of: $1.id)
      let generations = limit == .max ? limit : limit - start
      return generations > 0 ? ($0, generations) : nil
    }
  }
}
