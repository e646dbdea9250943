/// Where a graph goes on from records that a cache fetches: which relationships are followed, and
/// how far.
///
/// A store that answers ``BackingStore/fetch(_:ids:following:)`` follows them itself, in one go.
public struct FetchPlan: Sendable {
  let schema: GraphSchema
  private let plan: CompiledPlan
  /// How many hops the records that are fetched first are away from the root of the graph.
  private let start: Int
  /// How many records are of use at most.
  public let limit: Int
  /// The types to which nothing is followed.
  private var omitted: Set<TypeNumber> = []

  init(
    _ plan: CompiledPlan, from start: Int, of schema: GraphSchema, limit: Int
  ) {
    self.schema = schema
    self.plan = plan
    self.start = start
    self.limit = limit
  }

  /// Makes a plan as a cache would, to try a store.
  ///
  /// - Parameters:
  ///   - plan: What the graph follows, from the records that are fetched.
  ///   - schema: The record types.
  /// - Throws: `KinshipError.unknownType` or `.unknownRelationship` if the plan does not fit the
  ///   schema.
  public init<Root: GraphRecord>(
    _ plan: Plan<Root>, of schema: GraphSchema
  ) throws(KinshipError) {
    self.init(
      try CompiledPlan(plan.rules, schema: schema), from: 0, of: schema, limit: plan.rules.budget)
  }

  /// The plan without the relationships that lead to other types than some.
  package func limited(toTypes isIncluded: (any GraphRecord.Type) -> Bool) -> FetchPlan {
    var plan = self
    plan.omitted.formUnion(schema.types.typeNumbers.filter { !isIncluded(schema.type($0)) })
    return plan
  }

  /// The relationships of a type that are followed, and how far.
  ///
  /// - Parameter type: The record type.
  /// - Returns: Each relationship, with the number of hops from the records that are fetched first
  ///   up to which it leads, 1 or more; `Int.max` for one that is followed from whatever is
  ///   reached. None for a type that the cache does not know.
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
