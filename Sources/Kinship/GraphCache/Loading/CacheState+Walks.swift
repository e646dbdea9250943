extension CacheState {
  /// The graph around a root, if that and all that the plan leads to are in memory, and nobody is
  /// in the midst of writing.
  ///
  /// - Returns: The graph, and graphs that must not end while the cache is locked.
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

  /// The graph around a root, as `warmGraph` finds it, whose records have not been touched yet.
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
    arriving == nil && !isTaken && !isPast && !map.clock.isInMoment && rules.backward.isEmpty
  }

  private mutating func walkWarm(
    from root: Slot, _ rules: PlanRules, _ schema: GraphSchema, touches: Bool
  ) -> WarmWalk.Found? {
    // An error of the plan is for the walk that may wait.
    guard let plan = try? plans.compiled(rules, schema) else { return nil }
    return warmWalk.walk(
      from: root, plan, rules, schema, hasStore: !map.isAuthoritative, &map, &marks,
      touches: touches)
  }

  /// Goes on with traversals, which have ended when they are finished.
  mutating func advance(
    _ traversals: inout Traversals, mayFinish: Bool = true
  ) -> Traversals.Step {
    let step = traversals.advance(&map, &marks, mayFinish: mayFinish)
    if case .finished = step { noteEnd(of: &traversals) }
    return step
  }

  /// Goes on with the end of traversals, finished or not; returns whether that is all.
  mutating func end(_ traversals: inout Traversals) -> Bool {
    var work = 0
    if traversals.hasEnded { return true }
    guard traversals.end(&map, isComplete: false, &work) else { return false }
    noteEnd(of: &traversals)
    return true
  }

  private mutating func noteEnd(of traversals: inout Traversals) {
    traversals.hasEnded = true
    walks.count -= traversals.walks.count
  }

  /// Tells walks what could not be loaded for them, and goes on with those that have what they
  /// waited for.
  ///
  /// - Parameters:
  ///   - outcome: What has come of a call to the store.
  ///   - mayFinish: Whether they must finish here if they can.
  /// - Returns: The same, without those that wait again.
  mutating func goOn(
    with outcome: Loader.Outcome, mayFinish: Bool = false
  ) -> Loader.Outcome {
    var outcome = outcome
    tell(outcome.borne)
    outcome.ready = goOn(outcome.ready, mayFinish: mayFinish)
    return outcome
  }

  /// Tells walks what could not be loaded for them.
  mutating func tell(_ failures: [(waiter: Loader.WaiterID, failures: [LoadFailure])]) {
    for (waiter, failures) in failures {
      for failure in failures {
        walks.waiting[waiter]?.note(failure.error, of: failure.ref)
      }
    }
  }

  /// Goes on with those walks that have what they waited for, as far as the next records that they
  /// need.
  ///
  /// Whoever has brought the records does it. Would each walk go on in its own task, that task
  /// would have to be woken for each generation, and the needs of several would not come together.
  /// The end is left to the task: what it returns is of the moment at which it returns. And of many
  /// walks, some go on in their own tasks, so that the lock is not held for long.
  ///
  /// - Parameters:
  ///   - waiters: Who has what they waited for.
  ///   - mayFinish: Whether they must finish here if they can: what has come is about to be
  ///     forgotten.
  /// - Returns: Those of them that do not wait again.
  mutating func goOn(
    _ waiters: [Loader.WaiterID], mayFinish: Bool = false
  ) -> [Loader.WaiterID] {
    if walks.waiting.isEmpty { return waiters }
    var work = Traversal.stride
    return waiters.filter { work <= 0 || !waitsAgain($0, &work, mayFinish: mayFinish) }
  }

  /// Gives each of those who wait for single records a copy of what is too old to be kept.
  mutating func hand(
    _ outdated: [(place: ClaimTable.Place, waiters: WaiterList)], of type: TypeNumber
  ) {
    for (place, waiters) in outdated {
      guard let copy = map.copy(place, of: type) else { continue }
      waiters.forEach { if walks.waiting[$0] == nil { handed[$0, default: [:]][place] = copy } }
    }
  }

  private mutating func waitsAgain(
    _ waiter: Loader.WaiterID, _ work: inout Int, mayFinish: Bool
  ) -> Bool {
    // A call from within the store goes on in its own task, which sees whether it waits for itself.
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
        needs.claims, for: waiter, bearsFailures: traversals.bearsFailures, &map)
    case .finished, .again, .failedRoot: return false
    }
  }
}
