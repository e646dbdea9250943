/// The records that were returned recently, and the loads of single records that plans would have
/// saved.
///
/// A load is judged by its record, not by its caller: a program that reads on from a graph would
/// have had the record with another plan.
struct LoadWatch: Sendable {
  /// The plan under which a record was returned, and the relationships followed since.
  struct PlanPosition: Sendable {
    let draft: PlanDraft
    let generation: Int
    /// The plan of the graph at that time, as source; `nil` if no graph led there.
    let graph: String?
    var isOverBudget = false
  }

  /// The path by which a plan could have reached a record.
  struct PlanPath: Sendable {
    let step: PlanStep
    let source: AnyRef
    let position: PlanPosition

    /// The position of the record that it leads to.
    var end: PlanPosition {
      var draft = position.draft
      draft.depths[step] = max(draft.depths[step] ?? 0, position.generation + 1)
      return PlanPosition(
        draft: draft, generation: position.generation + 1, graph: position.graph,
        isOverBudget: position.isOverBudget)
    }
  }

  /// The key under which several loads count as one finding.
  private struct Key: Hashable {
    let kind: UnplannedLoad.Kind
    let step: PlanStep
    let root: TypeNumber
    let graph: String?
    let caller: CallSite
  }

  /// A relationship that is followed for one record after another.
  private struct Series: Sendable {
    var source: AnyRef
    var count = 1
    /// The number of the last load.
    var last: Int
  }

  /// The length from which a series is more than chance.
  private static let longEnough = 3
  /// The number of other loads that may separate two of a series.
  private static let gap = 8

  private let schema: GraphSchema
  private var graphs = ReturnedGraphs()
  private var paths = Recent<PlanPath>()
  private var positions = Recent<PlanPosition>()
  private var series: [Key: Series] = [:]
  private var loadCount = 0
  private var numbers: [Key: Int] = [:]
  /// The findings, in order.
  private(set) var found: [UnplannedLoad] = []

  init(_ schema: GraphSchema) { self.schema = schema }

  // MARK: Returned records

  /// Records that a graph was returned.
  mutating func recordReturned(_ graph: GraphStorage) { graphs.append(graph) }

  /// Records that a record was returned.
  mutating func recordReturned(_ ref: AnyRef, _ links: RecordLinks) {
    let position = path(to: ref)?.end ?? Self.root(ref, schema)
    recordReturned(ref, links, position)
  }

  /// Records that the referrers of a record were returned.
  mutating func recordReturnedReferrers(
    to ref: AnyRef, by edges: [EdgeID], _ sources: [(ref: AnyRef, links: RecordLinks)]
  ) {
    guard let edge = edges.first, let path = inversePath(from: ref, edge) else { return }
    for source in sources { recordReturned(source.ref, source.links, path.end) }
  }

  private mutating func recordReturned(
    _ ref: AnyRef, _ links: RecordLinks, _ position: PlanPosition?
  ) {
    guard let position else { return }
    positions[ref] = position
    for (edge, refs) in links {
      for target in refs where target != ref {
        paths[target] = PlanPath(step: PlanStep(edge: edge), source: ref, position: position)
      }
    }
  }

  private static func root(_ ref: AnyRef, _ schema: GraphSchema) -> PlanPosition? {
    schema.number(of: ref.type).map {
      PlanPosition(draft: PlanDraft(root: $0), generation: 0, graph: nil)
    }
  }

  private mutating func path(to ref: AnyRef) -> PlanPath? {
    graphs.path(to: ref, schema) ?? paths[ref]
  }

  private mutating func inversePath(from ref: AnyRef, _ edge: EdgeID) -> PlanPath? {
    let position = graphs.position(of: ref, schema) ?? positions[ref] ?? Self.root(ref, schema)
    return position.map {
      PlanPath(step: PlanStep(edge: edge, isBackward: true), source: ref, position: $0)
    }
  }

  // MARK: Loads

  /// Judges a call that loads the absent records of some refs; returns the findings to report.
  ///
  /// A call for a record that many records refer to is no series. Only a strict watch reports every
  /// finding, and not only the first of each kind.
  mutating func load(
    _ absent: [AnyRef], among refs: [AnyRef], from caller: CallSite, isStrict: Bool
  ) -> [UnplannedLoad] {
    var firsts: [PlanStep: (ref: AnyRef, path: PlanPath)] = [:]
    var sources: [PlanStep: Set<AnyRef>] = [:]
    for ref in absent {
      guard let path = path(to: ref) else { continue }
      if firsts[path.step] == nil { firsts[path.step] = (ref, path) }
    }
    for ref in refs {
      if let path = path(to: ref) { sources[path.step, default: []].insert(path.source) }
    }
    loadCount += 1
    return firsts.sorted { $0.key < $1.key }.compactMap { step, first in
      judge(first.ref, first.path, caller, isForOne: sources[step]?.count == 1, isStrict)
    }
  }

  /// Judges a call that loads the referrers of a record.
  mutating func loadReferrers(
    to ref: AnyRef, by edges: [EdgeID], from caller: CallSite, isStrict: Bool
  ) -> [UnplannedLoad] {
    loadCount += 1
    return edges.compactMap { edge in
      inversePath(from: ref, edge).flatMap { judge(ref, $0, caller, isForOne: true, isStrict) }
    }
  }

  private mutating func judge(
    _ ref: AnyRef, _ path: PlanPath, _ caller: CallSite, isForOne: Bool, _ isStrict: Bool
  ) -> UnplannedLoad? {
    let (end, edge) = (path.end, schema[path.step.edge])
    let kind: UnplannedLoad.Kind =
      end.graph == nil ? .repeated : end.isOverBudget ? .overBudget : .beyondPlan
    let key = Key(
      kind: kind, step: path.step, root: end.draft.root, graph: end.graph, caller: caller)
    var times = 1
    if kind == .repeated {
      guard isForOne else { return nil }
      times = extendSeries(with: key, path.source)
      if times < Self.longEnough { return nil }
    }
    let number = numbers[key]
    if let number {
      found[number].times += 1
      guard isStrict else { return nil }
      times = found[number].times
    }
    let load = UnplannedLoad(
      kind: kind, type: schema.type(path.step.edge.source).recordName, relationship: edge.name,
      isInverse: path.step.isBackward, ref: ref, caller: caller, times: times,
      plan: end.draft.source(schema))
    if number == nil {
      numbers[key] = found.count
      found.append(load)
    }
    return load
  }

  /// Returns the number of records in a series, with this one.
  private mutating func extendSeries(with key: Key, _ source: AnyRef) -> Int {
    var next = Series(source: source, last: loadCount)
    if let before = series[key], loadCount - before.last <= Self.gap {
      next.count = before.source == source ? before.count : before.count + 1
    }
    series[key] = next
    return next.count
  }
}
