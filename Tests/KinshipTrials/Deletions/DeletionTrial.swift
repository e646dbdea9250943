@testable import Kinship
import KinshipTestSupport

/// Deletes the nodes of a world one after another, beside the reference.
struct DeletionTrial<Rules: RuleSet> {
  typealias Node = RuleNode<Rules>
  typealias Loss = ReferenceDeletion.Loss
  typealias Denial = ReferenceDeletion.Denial

  private let cache: GraphCache
  private let store: MemoryStore?
  private let all: Range<Int>
  private var world: RuleWorld

  init(_ world: RuleWorld, _ placement: DeletionPlacement, _ executor: any TaskExecutor)
    async throws
  {
    self.world = world
    all = 0..<(world.nodes.count + 1)
    let records = world.records(Rules.self)
    store = placement == .memory ? nil : MemoryStore(records)
    cache = try GraphCache(schema: Node.schema, store: store, executor: executor)
    switch placement {
    case .memory: try await cache.put(contentsOf: records)
    case .store: break
    case .half(let parity):
      _ = try await cache.find(all.filter { $0 % 2 == parity }.map { Ref<Node>($0) })
    }
  }

  /// Deletes the first node, and then all others on request.
  static func run(
    _ world: RuleWorld, _ placement: DeletionPlacement, toTheEnd: Bool,
    on executor: any TaskExecutor
  ) async throws {
    do {
      var trial = try await DeletionTrial(world, placement, executor)
      for node in trial.all where trial.world.nodes[node] != nil {
        try await trial.delete(node)
        if !toTheEnd { break }
      }
    } catch {
      throw Mismatch(
        """
        \(error), in \(world.nodes.sorted { $0.key < $1.key }), one \(Rules.one), \
        many \(Rules.many), \(placement)
        """
      )
    }
  }

  private mutating func delete(_ node: Int) async throws {
    let ref = Ref<Node>(node)
    let expected = ReferenceDeletion(of: node, in: world) { $0 == .one ? Rules.one : Rules.many }
    let foretold = Lock<GraphCache.DeletionConsequences?>(nil)
    do {
      let changes = try await cache.write { tx in
        let consequences = try tx.consequences(ofDeleting: ref)
        foretold.withLock { $0 = consequences }
        try tx.delete(ref)
      }
      try verify(expected.denials.isEmpty, "\(node) was deleted, denied by \(expected.denials)")
      try verifyEqual(
        changes.deleted(Node.self).map(\.id).sorted(), expected.deleted.sorted(), "deleted")
      try verifyEqual(
        Set(changes.updated(Node.self).map(\.ref.id)), Set(expected.losses.map(\.node)), "updated")
    } catch KinshipError.deletionDenied(AnyRef(ref), let referrers) {
      try verifyEqual(
        ids(referrers).sorted(), Set(expected.denials.map(\.node)).sorted(), "who denies \(node)")
    }
    try verifyForetold(foretold.withLock { $0 }, expected)
    world = expected.world
    try await verifyState()
  }

  /// Verifies that the predicted consequences were complete, without duplicates.
  private func verifyForetold(
    _ foretold: GraphCache.DeletionConsequences?, _ expected: ReferenceDeletion
  ) throws {
    guard let foretold else { throw Mismatch("nothing was foretold") }
    try verifyEqual(ids(foretold.deleted).sorted(), expected.deleted.sorted(), "to be deleted")
    let losses = zip(ids(foretold.nullified.map(\.record)), foretold.nullified).map {
      Loss(node: $0, relationship: $1.relationship)
    }
    try verifyEqual(Set(losses), expected.losses, "to lose refs")
    try verifyEqual(losses.count, expected.losses.count, "losses")
    let denials = foretold.denials.compactMap { denial -> Denial? in
      guard let node = denial.record.as(Node.self), let deleted = denial.of.as(Node.self) else {
        return nil
      }
      return Denial(node: node.id, deleted: deleted.id, relationship: denial.relationship)
    }
    try verifyEqual(Set(denials), expected.denials, "denials")
    try verifyEqual(denials.count, expected.denials.count, "number of denials")
    try verify(
      foretold.isAllowed == expected.denials.isEmpty, "allowed \(foretold.isAllowed)")
  }

  private func verifyState() async throws {
    for node in all {
      let expected = world.nodes[node].map { Node(node, $0) }
      let present = cache.peek(Ref<Node>(node))
      if let store {
        try verifyEqual(store[Ref<Node>(node)], expected, "\(node) in the store")
        if let present { try verifyEqual(present, expected, "\(node) in memory") }
      } else {
        try verifyEqual(present, expected, "\(node) in memory")
      }
    }
    try verifyEqual(await cache.audit(), [], "the audit")
    try verifyEqual(cache.statistics.leases, 0, "leases")
    for (number, relationship) in RuleWorld.Relationship.allCases.enumerated() {
      try verifyCompleteness(relationship, number)
    }
  }

  /// If memory claims to have all referrers of a target, it has them.
  private func verifyCompleteness(_ relationship: RuleWorld.Relationship, _ number: Int) throws {
    if store == nil { return }
    let complete = cache.state.withLock { state in
      let index =
        state.map.indexes[EdgeID(source: TypeNumber(0), number: number)] as? ReferrerIndex<Int, Int>
      return all.filter { index?.complete.contains($0) ?? false }
    }
    for target in complete {
      for (source, links) in world.nodes where links[relationship].contains(target) {
        try verify(
          cache.contains(Ref<Node>(source)), "\(source) refers to \(target) unknown to memory")
      }
    }
  }

  private func ids(_ refs: [AnyRef]) -> [Int] { refs.compactMap { $0.as(Node.self)?.id } }
}
