/// The graphs that were returned last, and the refs beyond them.
struct ReturnedGraphs: Sendable {
  private struct ReturnedGraph: Sendable {
    let graph: GraphStorage
    /// The path to each ref of the horizon; computed on first use.
    var horizon: [AnyRef: LoadWatch.PlanPath]?
  }

  /// The number of graphs that are remembered.
  private static let limit = 64

  /// The newest last.
  private var entries: [ReturnedGraph] = []

  mutating func append(_ graph: GraphStorage) {
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(ReturnedGraph(graph: graph))
  }

  /// Returns how the plan of the newest graph that refers to a record could have reached it.
  mutating func path(to ref: AnyRef, _ schema: GraphSchema) -> LoadWatch.PlanPath? {
    for number in entries.indices.reversed() {
      let graph = entries[number].graph
      let horizon = entries[number].horizon ?? Self.horizon(of: graph, schema)
      entries[number].horizon = horizon
      if let path = horizon[ref] { return path }
    }
    return nil
  }

  /// Returns the position of a record in the newest graph that has it.
  func position(of ref: AnyRef, _ schema: GraphSchema) -> LoadWatch.PlanPosition? {
    for entry in entries.reversed() {
      guard let node = entry.graph.key(of: ref) else { continue }
      let draft = PlanDraft(of: entry.graph)
      return LoadWatch.PlanPosition(
        draft: draft, generation: entry.graph.generation(of: node), graph: draft.source(schema))
    }
    return nil
  }

  private static func horizon(
    of graph: GraphStorage, _ schema: GraphSchema
  ) -> [AnyRef: LoadWatch.PlanPath] {
    guard let plan = try? CompiledPlan(graph.rules, schema: schema) else { return [:] }
    let isFull = graph.order.count >= plan.budget
    let draft = PlanDraft(of: graph)
    let source = draft.source(schema)
    var horizon: [AnyRef: LoadWatch.PlanPath] = [:]
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
          horizon[ref] = LoadWatch.PlanPath(
            step: PlanStep(edge: edge), source: graph.ref(of: node),
            position: LoadWatch.PlanPosition(
              draft: wider, generation: generation, graph: source, isOverBudget: isOverBudget))
        }
      }
    }
    return horizon
  }
}

extension PlanDraft {
  /// The plan of a graph.
  fileprivate init(of graph: GraphStorage) {
    self.init(root: TypeNumber(Int(graph.order[0].type)), rules: graph.rules)
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
