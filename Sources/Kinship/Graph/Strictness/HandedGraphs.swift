/// The graphs that were returned last, and the refs beyond them.
struct HandedGraphs: Sendable {
  private struct Entry: Sendable {
    let graph: GraphStorage
    /// The way to each ref of the horizon; computed on first use.
    var horizon: [AnyRef: LoadWatch.Way]?
  }

  /// The number of graphs that are remembered.
  private static let limit = 64

  /// The newest last.
  private var entries: [Entry] = []

  mutating func append(_ graph: GraphStorage) {
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(graph: graph))
  }

  /// Returns how the plan of the newest graph that refers to a record could have reached it.
  mutating func way(to ref: AnyRef, _ schema: GraphSchema) -> LoadWatch.Way? {
    for number in entries.indices.reversed() {
      let graph = entries[number].graph
      let horizon = entries[number].horizon ?? Self.horizon(of: graph, schema)
      entries[number].horizon = horizon
      if let way = horizon[ref] { return way }
    }
    return nil
  }

  /// Returns the standing of a record in the newest graph that has it.
  func standing(of ref: AnyRef, _ schema: GraphSchema) -> LoadWatch.Standing? {
    for entry in entries.reversed() {
      if let node = entry.graph.key(of: ref) {
        return Self.standing(of: node, in: entry.graph, schema)
      }
    }
    return nil
  }

  private static func standing(
    of node: NodeKey, in graph: GraphStorage, _ schema: GraphSchema
  ) -> LoadWatch.Standing {
    let draft = PlanDraft(root: TypeNumber(Int(graph.order[0].type)), rules: graph.rules)
    return LoadWatch.Standing(
      draft: draft, generation: graph.generation(of: node), graph: draft.source(schema))
  }

  private static func horizon(
    of graph: GraphStorage, _ schema: GraphSchema
  ) -> [AnyRef: LoadWatch.Way] {
    guard let plan = try? CompiledPlan(graph.rules, schema: schema) else { return [:] }
    let isFull = graph.order.count >= plan.budget
    let draft = PlanDraft(root: TypeNumber(Int(graph.order[0].type)), rules: graph.rules)
    let source = draft.source(schema)
    var horizon: [AnyRef: LoadWatch.Way] = [:]
    var waiting = 0
    for node in graph.order {
      let generation = graph.generation(of: node)
      for (edge, refs) in graph.links(of: node) {
        for ref in refs where horizon[ref] == nil && graph.failures[ref] == nil {
          let link = graph.columns[schema[edge].target]?.link(to: ref) ?? Link.unloaded
          if link >= 0 || link == Link.missing { continue }
          var wider = draft
          let isOverBudget = isFull && plan.limit(of: edge) > generation
          if isOverBudget {
            // The nearest are taken first: those before it need room as well.
            waiting += 1
            wider.rules.budget = graph.order.count + waiting
          }
          horizon[ref] = LoadWatch.Way(
            step: PlanStep(edge: edge), source: graph.ref(of: node),
            standing: LoadWatch.Standing(
              draft: wider, generation: generation, graph: source, isOverBudget: isOverBudget))
        }
      }
    }
    return horizon
  }
}

/// The latest notes about some records: a bounded number, of which the oldest are dropped.
struct Recent<Value: Sendable>: Sendable {
  private static var limit: Int { 16_384 }

  private var newer: [AnyRef: Value] = [:]
  private var older: [AnyRef: Value] = [:]

  subscript(ref: AnyRef) -> Value? {
    get { newer[ref] ?? older[ref] }
    set {
      if newer.count == Self.limit { (older, newer) = (newer, [:]) }
      newer[ref] = newValue
    }
  }
}
