/// The plans that were compiled last: callers reuse the same few plans.
struct RecentPlans {
  private var plans: [(rules: PlanRules, plan: CompiledPlan)] = []
  private var next = 0

  /// A plan, which follows nothing backwards, in the numbers of the cache's schema.
  mutating func compiled(
    _ rules: PlanRules, _ schema: GraphSchema
  ) throws(KinshipError) -> CompiledPlan {
    for number in plans.indices where plans[number].rules.agrees(with: rules) {
      return plans[number].plan
    }
    let plan = try CompiledPlan(rules, schema: schema)
    if plans.count < 4 {
      plans.append((rules, plan))
    } else {
      plans[next] = (rules, plan)
      next = (next + 1) % plans.count
    }
    return plan
  }
}
