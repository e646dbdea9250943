/// The records that were returned recently, and the loads of single records that plans would have
/// saved.
///
/// A load is judged by its record, not by its caller: a program that reads on from a graph would
/// have had the record with another plan.
struct LoadWatch: Sendable {
  /// The plan under which a record was returned, and the relationships followed since.
  struct Standing: Sendable {
    let draft: PlanDraft
    let generation: Int
    /// The plan of the graph at that time, as source; `nil` if no graph led there.
    let graph: String?
    var isOverBudget = false
  }

  /// The path by which a plan could have reached a record.
  struct Way: Sendable {
    let step: PlanStep
    let source: AnyRef
    let standing: Standing

    /// The standing of the record that it leads to.
    var end: Standing {
      var draft = standing.draft
      draft.depths[step] = max(draft.depths[step] ?? 0, standing.generation + 1)
      return Standing(
        draft: draft, generation: standing.generation + 1, graph: standing.graph,
        isOverBudget: standing.isOverBudget)
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
  private var graphs = HandedGraphs()
  private var ways = Recent<Way>()
  private var standings = Recent<Standing>()
  private var series: [Key: Series] = [:]
  private var loadCount = 0
  private var numbers: [Key: Int] = [:]
  /// The findings, in order.
  private(set) var found: [UnplannedLoad] = []

  init(_ schema: GraphSchema) { self.schema = schema }

  // MARK: Returned records

  /// Notes that a graph was returned.
  mutating func hand(_ graph: GraphStorage) { graphs.append(graph) }

  /// Notes that a record was returned.
  mutating func hand(_ ref: AnyRef, _ links: RecordLinks) {
    let standing = way(to: ref)?.end ?? Self.root(ref, schema)
    hand(ref, links, standing)
  }

  /// Notes that the referrers of a record were returned.
  mutating func handReferrers(
    to ref: AnyRef, by edges: [EdgeID], _ sources: [(ref: AnyRef, links: RecordLinks)]
  ) {
    guard let edge = edges.first, let way = wayBack(from: ref, edge) else { return }
    for source in sources { hand(source.ref, source.links, way.end) }
  }

  private mutating func hand(_ ref: AnyRef, _ links: RecordLinks, _ standing: Standing?) {
    guard let standing else { return }
    standings[ref] = standing
    for (edge, refs) in links {
      for target in refs where target != ref {
        ways[target] = Way(step: PlanStep(edge: edge), source: ref, standing: standing)
      }
    }
  }

  private static func root(_ ref: AnyRef, _ schema: GraphSchema) -> Standing? {
    schema.number(of: ref.type).map {
      Standing(draft: PlanDraft(root: $0), generation: 0, graph: nil)
    }
  }

  private mutating func way(to ref: AnyRef) -> Way? {
    graphs.way(to: ref, schema) ?? ways[ref]
  }

  private mutating func wayBack(from ref: AnyRef, _ edge: EdgeID) -> Way? {
    let standing = graphs.standing(of: ref, schema) ?? standings[ref] ?? Self.root(ref, schema)
    return standing.map {
      Way(step: PlanStep(edge: edge, isBackward: true), source: ref, standing: $0)
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
    var firsts: [PlanStep: (ref: AnyRef, way: Way)] = [:]
    var sources: [PlanStep: Set<AnyRef>] = [:]
    for ref in absent {
      guard let way = way(to: ref) else { continue }
      if firsts[way.step] == nil { firsts[way.step] = (ref, way) }
    }
    for ref in refs {
      if let way = way(to: ref) { sources[way.step, default: []].insert(way.source) }
    }
    loadCount += 1
    return firsts.sorted { $0.key < $1.key }.compactMap { step, first in
      judge(first.ref, first.way, caller, isForOne: sources[step]?.count == 1, isStrict)
    }
  }

  /// Judges a call that loads the referrers of a record.
  mutating func loadReferrers(
    to ref: AnyRef, by edges: [EdgeID], from caller: CallSite, isStrict: Bool
  ) -> [UnplannedLoad] {
    loadCount += 1
    return edges.compactMap { edge in
      wayBack(from: ref, edge).flatMap { judge(ref, $0, caller, isForOne: true, isStrict) }
    }
  }

  private mutating func judge(
    _ ref: AnyRef, _ way: Way, _ caller: CallSite, isForOne: Bool, _ isStrict: Bool
  ) -> UnplannedLoad? {
    let (end, edge) = (way.end, schema[way.step.edge])
    let kind: UnplannedLoad.Kind =
      end.graph == nil ? .repeated : end.isOverBudget ? .overBudget : .beyondPlan
    let key = Key(
      kind: kind, step: way.step, root: end.draft.root, graph: end.graph, caller: caller)
    var times = 1
    if kind == .repeated {
      guard isForOne else { return nil }
      times = goOn(with: key, way.source)
      if times < Self.longEnough { return nil }
    }
    let number = numbers[key]
    if let number {
      found[number].times += 1
      guard isStrict else { return nil }
      times = found[number].times
    }
    let load = UnplannedLoad(
      kind: kind, type: schema.type(way.step.edge.source).recordName, relationship: edge.name,
      isInverse: way.step.isBackward, ref: ref, caller: caller, times: times,
      plan: end.draft.source(schema))
    if number == nil {
      numbers[key] = found.count
      found.append(load)
    }
    return load
  }

  /// Returns the number of records in a series, with this one.
  private mutating func goOn(with key: Key, _ source: AnyRef) -> Int {
    var next = Series(source: source, last: loadCount)
    if let before = series[key], loadCount - before.last <= Self.gap {
      next.count = before.source == source ? before.count : before.count + 1
    }
    series[key] = next
    return next.count
  }
}
