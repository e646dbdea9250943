/// The records that a piece of a program has read, as plans that load all of them.
///
/// ```swift
/// let (names, learned) = try await cache.learningPlan {
///   let albert = try await cache.resolve(Ref<Person>(42))
///   let father = try await cache.resolve(albert.father)
///   return [albert.name, father?.name]
/// }
/// print(learned.source)
/// ```
public struct LearnedPlan: Sendable {
  /// The plan for the records of one type with which the program began.
  public struct Part: Sendable {
    /// The records with which the program began: no record that it read before led to them.
    public let roots: [AnyRef]
    /// The plan as Swift source.
    public let source: String
    let rules: PlanRules
  }

  /// The plans, one for each type of roots, in the order in which they were read.
  public let parts: [Part]
  /// The number of records that were read, or found not to exist.
  public let recordCount: Int
  /// The number of store calls that the reads took.
  ///
  /// This counts all calls of the cache for records during that time, including those of other
  /// callers.
  public let callCount: Int
  /// The number of store calls that the plans need if nothing is in memory, and the store follows
  /// no plans itself.
  ///
  /// It counts only the records that were read: a plan may lead to others as well. To compare it
  /// with ``callCount``, learn with an empty cache.
  public let plannedCallCount: Int

  /// The plans as Swift source, each on its own lines.
  public var source: String { parts.map(\.source).joined(separator: "\n") }

  /// Returns the plan for roots of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The plan, or `nil` if the program began with no record of the type.
  /// - Complexity: O(*n*) in the types of roots.
  public func plan<Root: GraphRecord>(from type: Root.Type) -> Plan<Root>? {
    parts.first { $0.roots.first?.type == type }.map { Plan(rules: $0.rules) }
  }
}

extension LearnedPlan {
  init(_ trail: ReadTrail, _ schema: GraphSchema, callCount: Int, batchSize: Int) {
    let plans = trail.plans()
    parts = plans.map { plan in
      let draft = PlanDraft(root: plan.root, depths: plan.depths)
      return Part(
        roots: plan.roots, source: draft.source(schema), rules: draft.finished(schema))
    }
    recordCount = trail.count
    self.callCount = callCount
    var depths: ReadTrail.Depths = [:]
    for plan in plans { depths[plan.root] = plan.depths }
    plannedCallCount = trail.calls(of: depths, batchSize: batchSize)
  }
}
