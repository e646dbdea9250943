/// The way an index answers a query: the values to search for, and the order of the walk.
package struct IndexPlan: Sendable {
  /// The number of the index.
  package let index: Int
  private var walk: IndexWalk
  /// The number of ids to examine.
  private var cost: Int
  /// Whether the ids that the walk finds are those of the records that fulfil the conditions.
  private var isDecisive = false

  /// Returns the best plan for a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - indexes: The indexes.
  ///   - entries: The entries of each.
  ///   - count: The number of records.
  /// - Returns: The plan; `nil` if it is better to scan all records.
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
        // The walk ends when it has enough matching records.
        let needed = Double(end) * Double(plan.cost) / Double(found)
        if needed < Double(plan.cost) { plan.cost = Int(needed) + 1 }
      }
      guard plan.isInOrder || plan.cost <= max(64, count / 2) else { continue }
      if best.map({ plan.cost < $0.cost }) ?? true { best = plan }
    }
    return best
  }

  /// Creates the plan of an index for a query; `nil` if the index does not help.
  private init?(
    _ query: QueryShape, _ number: Int, _ index: IndexOutline, _ entries: any Sendable
  ) {
    let isOrdered = index.kind == .ordered
    let othersCount = index.count(entries, [])
    var searches: [[PartSearch]] = [[]]
    var decided = 0
    /// The number of properties that have one value each.
    var fixed = 0
    for property in index.properties {
      let found = FilterCondition.searches(
        for: property, among: query.conditions, inOrder: isOrdered)
      guard let (found, decidedHere) = found, !found.isEmpty, searches.count * found.count <= 1_024
      else { break }
      let isExact = found.allSatisfy(\.isEqual)
      if !isExact, !isOrdered { break }
      searches = searches.flatMap { search in found.map { search + [$0] } }
      decided += decidedHere
      if !isExact { break }
      if found.count == 1, fixed == searches[0].count - 1 { fixed += 1 }
    }
    self.index = number
    walk = IndexWalk(searches: searches)
    cost = 0
    isDecisive = othersCount == 0 && decided == query.conditions.count && decided > 0
    if isOrdered {
      let isSearch = !searches[0].isEmpty
      if !isSearch || othersCount == 0 {
        arrange(query, index.properties, fixed: fixed)
      }
      if !isSearch, !walk.isInOrder { return nil }
    } else if searches.contains(where: { $0.count != index.properties.count }) {
      return nil
    }
    cost = index.count(entries, searches)
  }

  /// Returns the number of records that fulfil the conditions of a query, if an index knows it, and
  /// the plan for that index.
  ///
  /// - Complexity: O(log *n*) in the records for each value that is searched for.
  static func count(
    of query: QueryShape, among indexes: [IndexOutline], _ entries: [any Sendable]
  ) -> (count: Int, plan: IndexPlan)? {
    for number in indexes.indices {
      if let plan = IndexPlan(query, number, indexes[number], entries[number]), plan.isDecisive {
        return (plan.cost, plan)
      }
    }
    return nil
  }

  /// Whether the ids are in the order of the query.
  var isInOrder: Bool { walk.isInOrder }

  /// The plan with all values in one walk.
  package var inOneWalk: IndexPlan {
    var plan = self
    plan.walk.isInOrder = false
    return plan
  }

  /// Returns the walk through the index, to at most so many ids if these are in order.
  func walk(upTo limit: Int) -> IndexWalk {
    var walk = walk
    walk.limit = limit
    return walk
  }

  /// Makes the walk follow the order of a query, if that is the order of the keys after the first,
  /// fixed ones.
  private mutating func arrange(
    _ query: QueryShape, _ properties: [any AnyKeyPath & Sendable], fixed: Int
  ) {
    guard walk.searches.count == 1, let last = query.order.last, last.isTotal else { return }
    // A term that is the same in all of them does not sort.
    func isFixed(_ term: QueryShape.Term) -> Bool {
      properties.prefix(fixed).contains { $0 as AnyKeyPath == term.property }
    }
    let terms = query.order.dropLast().filter { !isFixed($0) }
    guard
      terms.elementsEqual(properties.dropFirst(fixed), by: { $0.property as AnyKeyPath == $1 })
    else { return }
    let isAscending = terms.first?.isAscending ?? last.isAscending
    for term in terms {
      // In the index, `nil` is first.
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
  /// Returns the best plan for it; `nil` if it is better to scan all records.
  package func plan(in ids: IndexedIDs<R>) -> IndexPlan? {
    IndexPlan.best(for: shape, among: R.indexes.outlines, ids.entries, of: ids.count)
  }

  /// Returns the number of records that it finds, if an index alone decides that.
  package func count(in ids: IndexedIDs<R>) -> Int? {
    let all = RecordQuery(selection)
    guard let (count, plan) = IndexPlan.count(of: all.shape, among: R.indexes.outlines, ids.entries)
    else { return nil }
    plan.recordScan(R.self, lookedAt: 0)
    return self.count(of: count)
  }
}
