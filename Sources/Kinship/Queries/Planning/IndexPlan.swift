/// How an index answers a query: what is searched for in it, and how it is gone through.
package struct IndexPlan: Sendable {
  /// The number of the index.
  package let index: Int
  private var walk: IndexWalk
  /// About how many ids must be looked at.
  private var cost: Int

  /// The best plan for a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - indexes: The indexes.
  ///   - entries: The entries of each.
  ///   - count: How many records there are.
  /// - Returns: The plan; `nil` if it is better to look through all records.
  /// - Complexity: O(*m* log *n*) for *m* values that are searched for among *n* records.
  static func best(
    for query: QueryShape, among indexes: [IndexOutline], _ entries: [any Sendable], of count: Int
  ) -> IndexPlan? {
    var plans: [IndexPlan] = []
    for number in indexes.indices {
      if let plan = IndexPlan(query, number, indexes[number], entries[number]) {
        plans.append(plan)
      }
    }
    if plans.isEmpty { return nil }
    let found = plans.lazy.filter { !$0.isInOrder }.map { $0.cost }.min() ?? count
    var best: IndexPlan?
    for var plan in plans {
      if plan.isInOrder, let end = query.end, found > 0 {
        // It is gone through as far as needed: until there are enough of those that are found.
        let needed = Double(end) * Double(plan.cost) / Double(found)
        if needed < Double(plan.cost) { plan.cost = Int(needed) + 1 }
      }
      guard plan.isInOrder || plan.cost <= max(64, count / 2) else { continue }
      if best.map({ plan.cost < $0.cost }) ?? true { best = plan }
    }
    return best
  }

  /// What an index makes of a query; `nil` if nothing.
  private init?(
    _ query: QueryShape, _ number: Int, _ index: IndexOutline, _ entries: any Sendable
  ) {
    let isOrdered = index.kind == .ordered
    var searches: [[PartSearch]] = [[]]
    /// How many properties have one value each.
    var fixed = 0
    for property in index.properties {
      let found = FilterCondition.searches(
        for: property, among: query.conditions, inOrder: isOrdered)
      let isExact = found?.allSatisfy(\.isEqual) ?? false
      guard let found, isExact || isOrdered, !found.isEmpty,
        searches.count * found.count <= 1_024
      else { break }
      searches = searches.flatMap { search in found.map { search + [$0] } }
      if !isExact { break }
      if found.count == 1, fixed == searches[0].count - 1 { fixed += 1 }
    }
    self.index = number
    walk = IndexWalk(searches: searches)
    cost = 0
    if isOrdered {
      let isSearch = !searches[0].isEmpty
      if !isSearch || index.count(entries, []) == 0 {
        arrange(query, index.properties, fixed: fixed)
      }
      if !isSearch, !walk.isInOrder { return nil }
    } else if searches.contains(where: { $0.count != index.properties.count }) {
      return nil
    }
    cost = index.count(entries, searches)
  }

  /// Whether the ids come in the order of the query.
  var isInOrder: Bool { walk.isInOrder }

  /// The plan that goes through all that it leads to in one walk.
  package var inOneWalk: IndexPlan {
    var plan = self
    plan.walk.isInOrder = false
    return plan
  }

  /// How it goes through the index; if the ids come in order, to so many of them at most.
  func walk(upTo limit: Int) -> IndexWalk {
    var walk = walk
    walk.limit = limit
    return walk
  }

  /// Has the walk go through the index in the order of a query, if that is the order of its keys
  /// where the first of these are fixed.
  private mutating func arrange(
    _ query: QueryShape, _ properties: [any AnyKeyPath & Sendable], fixed: Int
  ) {
    guard walk.searches.count == 1, let last = query.order.last, last.isTotal else { return }
    // What is the same in all of them does not sort.
    func isFixed(_ term: QueryShape.Term) -> Bool {
      properties.prefix(fixed).contains { $0 as AnyKeyPath == term.property }
    }
    let terms = query.order.dropLast().filter { !isFixed($0) }
    guard
      terms.elementsEqual(properties.dropFirst(fixed), by: { $0.property as AnyKeyPath == $1 })
    else { return }
    let isAscending = terms.first?.isAscending ?? last.isAscending
    for term in terms {
      // In the index, what has no value comes first.
      guard term.isAscending == isAscending,
        !term.isOptional || term.nilsComeFirst == isAscending
      else { return }
    }
    walk.isInOrder = true
    walk.keysAreReversed = !isAscending
    walk.idsAreReversed = !last.isAscending
    guard let position = query.position, let id = position.last ?? nil else { return }
    let keys = zip(query.order.dropLast(), position).filter { !isFixed($0.0) }.map(\.1)
    walk.start = IndexWalk.Start(
      keys: walk.searches[0].prefix(fixed).map { $0.value } + keys, id: id)
  }
}

extension RecordQuery {
  /// The best plan for it; `nil` if it is better to look through all records.
  package func plan(in ids: IndexedIDs<R>) -> IndexPlan? {
    IndexPlan.best(for: shape, among: R.indexes.outlines, ids.entries, of: ids.count)
  }
}
