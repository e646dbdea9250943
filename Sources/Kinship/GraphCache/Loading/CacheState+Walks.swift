extension CacheState {
  /// Returns the graph around a root if all of it is in memory, and no write is in progress.
  ///
  /// - Returns: The graph, and graphs that must not be destroyed while the cache is locked.
  @usableFromInline
  mutating func warmGraph(
    from root: Slot, _ rules: PlanRules, _ schema: GraphSchema
  ) -> (graph: GraphStorage?, ended: [GraphStorage]) {
    guard mayWalkWarm(rules) else { return (nil, []) }
    if let known = recentGraphs.graph(from: root, rules, &map) { return (known, []) }
    guard let found = walkWarm(from: root, rules, schema, touches: true) else { return (nil, []) }
    if found.slots.isEmpty { return (found.graph, []) }
    return (found.graph, recentGraphs.keep(found.graph, from: root, rules, found.slots, map))
  }

  /// Returns the graph around a root like `warmGraph`, without touching its records.
  mutating func untouchedGraph<Root: GraphRecord>(
    of root: Ref<Root>, _ rules: PlanRules, _ schema: GraphSchema
  ) -> WarmWalk.Found? {
    guard mayWalkWarm(rules), let slot = map.slot(of: root.id, as: Root.self) else { return nil }
    return walkWarm(from: slot, rules, schema, touches: false)
  }

  /// Touches the records of such a graph, unless any has been dropped since.
  mutating func touch(_ found: WarmWalk.Found, isPassing: Bool, since drops: UInt64) {
    if !isPassing, map.drops == drops { for slot in found.slots { map.recency.touch(slot) } }
    map.tally.hits &+= found.slots.count
  }

  private mutating func mayWalkWarm(_ rules: PlanRules) -> Bool {
    applying == nil && !isExclusive && !isTooStale && !map.clock.isInMoment
      && rules.backward.isEmpty
  }

  private mutating func walkWarm(
    from root: Slot, _ rules: PlanRules, _ schema: GraphSchema, touches: Bool
  ) -> WarmWalk.Found? {
    // A walk that may wait reports an error of the plan.
    guard let plan = try? plans.compiled(rules, schema) else { return nil }
    return warmWalk.walk(
      from: root, plan, rules, schema, hasStore: !map.isAuthoritative, &map, &marks,
      touches: touches)
  }

  /// Continues traversals, which end when they are finished.
  mutating func advance(
    _ traversals: inout Traversals, mayFinish: Bool = true
  ) -> Traversals.Step {
    let step = traversals.advance(&map, &marks, mayFinish: mayFinish)
    if case .finished = step { finish(of: &traversals) }
    return step
  }

  /// Continues to end traversals, finished or not, and returns whether all have ended.
  mutating func end(_ traversals: inout Traversals) -> Bool {
    var work = 0
    if traversals.hasEnded { return true }
    guard traversals.end(&map, isComplete: false, &work) else { return false }
    finish(of: &traversals)
    return true
  }

  private mutating func finish(of traversals: inout Traversals) {
    traversals.hasEnded = true
    walks.count -= traversals.walks.count
  }

  /// Reports failed loads to walks.
  mutating func reportFailures(_ failures: [(waiter: Loader.WaiterID, failures: [LoadFailure])]) {
    for (waiter, failures) in failures {
      for failure in failures {
        walks.waiting[waiter]?.recordFailure(failure.error, of: failure.ref)
      }
    }
  }

  /// Reports failed loads to walks, and continues those that have what they waited for, up to the
  /// next records that they need.
  ///
  /// The task that has loaded the records does this. If each walk continued in its own task, every
  /// generation would have to wake that task, and the needs of several walks would not be combined.
  /// The end of a walk is left to its task, because the result must be current when it returns. If
  /// there are many walks, some continue in their own tasks, so that the lock is not held for long.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of a store call.
  ///   - mayFinish: Whether they must finish here if they can, because the loaded records are about
  ///     to be dropped.
  /// - Returns: The same outcome, without the walks that wait again.
  mutating func continueWalks(with outcome: Loader.Outcome, mayFinish: Bool) -> Loader.Outcome {
    reportFailures(outcome.toleratedFailures)
    if walks.waiting.isEmpty { return outcome }
    var (outcome, work) = (outcome, Traversal.stride)
    outcome.ready.removeAll { work > 0 && waitsAgain($0, &work, mayFinish: mayFinish) }
    return outcome
  }

  /// Copies records that are too old to keep to the callers that take such copies.
  mutating func deliver(
    _ outdated: [(place: ClaimTable.Place, waiters: WaiterList)], of type: TypeNumber
  ) {
    for (place, waiters) in outdated {
      guard let copy = map.copy(place, of: type) else { continue }
      waiters.forEach { transient[$0]?[place] = copy }
    }
  }

  private mutating func waitsAgain(
    _ waiter: Loader.WaiterID, _ work: inout Int, mayFinish: Bool
  ) -> Bool {
    // A call from inside the store continues in its own task, which checks whether it waits for
    // itself.
    if !mayFinish, waits.isNested(waiter) { return false }
    guard var traversals = walks.waiting.removeValue(forKey: waiter) else { return false }
    let before = traversals.reachedCount
    defer {
      work -= traversals.reachedCount - before
      walks.waiting[waiter] = traversals
    }
    switch advance(&traversals, mayFinish: mayFinish) {
    case .needs(let needs):
      if waits.isNested(waiter) || traversals.isStalled || !needs.referrers.isEmpty
        || map.firstUnstable(of: needs.claims) != nil
      {
        return false
      }
      return loader.request(
        needs.claims, for: waiter, toleratesFailures: traversals.toleratesFailures, &map)
    case .finished, .again, .failedRoot: return false
    }
  }
}
