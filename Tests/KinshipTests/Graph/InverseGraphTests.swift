import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Plans that follow relationships backwards, compared with a search.
@Suite(.tags(.lawG1, .lawG2, .lawG3, .lawG4))
struct InverseGraphTests {
  enum Step: Command {
    case graphs([Key], ReferencePlan)
    case commit(Key, Entry?)
    case evict(Key)
    case invalidate(Key)
    case read(Key)

    static func random(using generator: inout SplitMix64) -> Step {
      let keys = Key.all.shuffled(using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2:
        let count = generator.chance(0.6) ? 1 : Int.random(in: 0...5, using: &generator)
        return .graphs(Array(keys.prefix(count)), .randomWithInverses(using: &generator))
      case 3...4:
        return .commit(keys[0], generator.chance(0.2) ? nil : .random(using: &generator))
      case 5: return .evict(keys[0])
      case 6: return .invalidate(keys[0])
      default: return .read(keys[0])
      }
    }

    var shrunk: [Step] {
      switch self {
      case .graphs(let keys, let plan):
        keys.shrunk.map { .graphs($0, plan) } + plan.shrunk.map { .graphs(keys, $0) }
      case .commit(let key, let entry): entry?.shrunk.map { .commit(key, $0) } ?? []
      default: []
      }
    }
  }

  @Test func `a plan with inverses loads what a search finds`() async throws {
    try await Property.check(seeds: 60, steps: 40, generate: Step.random) { steps, seed in
      var generator = SplitMix64(seed: seed)
      let versions = Versions([:])
      let store = ScriptedStore(over: versions.memory)
      let cache = try GraphCache(
        for: Author<Int>.self, Work<Int>.self, store: store,
        capacity: [1, 4, .max].randomElement(using: &generator) ?? 1)
      for step in steps {
        switch step {
        case .graphs(let keys, let plan):
          for kind in Kind.allCases {
            let keys = keys.filter { $0.kind == kind }
            let before = store.calls.count
            switch kind {
            case .author: try await verify(Author<Int>.self, keys, plan, cache, versions.latest)
            case .work: try await verify(Work<Int>.self, keys, plan, cache, versions.latest)
            }
            try verify(Array(store.calls.dropFirst(before)), plan, versions.latest)
          }
        case .commit(let key, let entry):
          try await cache.perform { try versions.commit([key: entry], to: $0) }
        case .evict(let key): await key.evict(from: cache)
        case .invalidate(let key): await key.invalidate(in: cache)
        case .read(let key): try await key.read(from: cache)
        }
        try verifyEqual(await cache.audit(), [], "the audit")
        try verifyEqual(cache.statistics.leases, 0, "the leases")
      }
    }
  }

  private func verify<R: LibraryRecord>(
    _ type: R.Type, _ keys: [Key], _ plan: ReferencePlan, _ cache: GraphCache,
    _ world: [Key: Entry]
  ) async throws {
    let graphs = try await cache.find((keys.map { R.ref($0.number) }).graphs(plan.plan(of: R.self)))
    for (key, graph) in zip(keys, graphs) {
      let expected = ReferenceGraph.search([.init(root: key, plan: plan)], in: world)
      try verifyEqual(graph != nil, expected != nil, "whether there is a graph of \(key)")
      guard let graph, let expected else { continue }
      if plan.budget == .max { try graph.verifyHolds(expected, ids: Int.self) }
      try verifyEqual(graph.refs, expected.order.map { $0.ref(Int.self) }, "the graph of \(key)")
      for node in graph.nodes(of: Author<Int>.self) {
        try verify(node[Author.students], of: node, .mentor, expected, plan, world)
        try verify(node[Author.writings], of: node, .author, expected, plan, world)
      }
      for node in graph.nodes(of: Work<Int>.self) {
        try verify(node[Work.claimants], of: node, .works, expected, plan, world)
        try verify(node[Work.prequels], of: node, .sequels, expected, plan, world)
      }
      #expect(!graph.description.isEmpty)
    }
  }

  /// A graph's referrers of a record are correct.
  private func verify<Target: LibraryRecord, Source: LibraryRecord>(
    _ nodes: Nodes<Source>, of node: Node<Target>, _ edge: Edge, _ expected: ReferenceGraph,
    _ plan: ReferencePlan, _ world: [Key: Entry]
  ) throws {
    let all = ReferenceGraph.referrers(
      to: Key(Target.kind, node.record.number), by: edge, in: world)
    let held = all.filter(expected.order.contains)
    try verifyEqual(nodes.map(\.record.number), held.map(\.number), "\(edge) to \(node)")
    if nodes.isComplete { try verifyEqual(held.count, all.count, "\(edge) to \(node), complete") }
    let isFollowed = plan.inverses[edge, default: 0] > node.generation
    if isFollowed, plan.budget == .max {
      try KinshipTestSupport.verify(nodes.isComplete, "\(edge) to \(node) is not complete")
    }
    if plan.inverses[edge] == nil {
      try KinshipTestSupport.verify(!nodes.isComplete, "\(edge) to \(node) was not followed")
    }
  }

  /// One call to the store for each relationship in a generation that is followed backwards, and
  /// one more if a root must be loaded and another not.
  private func verify(
    _ calls: [StoreCall], _ plan: ReferencePlan, _ world: [Key: Entry]
  ) throws {
    let referrers = calls.filter { $0.kind == .referrers }
    let generations = min(world.count, plan.inverses.values.max() ?? 0)
    try KinshipTestSupport.verify(
      referrers.count <= plan.inverses.count * (generations + 1),
      "\(referrers.count) calls for referrers in \(generations) generations")
  }

  // MARK: An organisation

  struct Employee: GraphRecord, Equatable {
    let id: Int
    var manager: Ref<Employee>?
    var deputy: Ref<Employee>?

    static let relationships: Relationships<Employee> = [.toOne(\.manager), .toOne(\.deputy)]
    static let reports = Inverse<Employee, Employee>(\.manager)
    static let team = Inverse<Employee, Employee>(\.manager, \.deputy)
  }

  /// Each of the first twenty has three reports.
  private let organisation = (0...60).map { id in
    Employee(id: id, manager: id == 0 ? nil : Ref((id - 1) / 3), deputy: id == 7 ? 7 : nil)
  }

  @Test func `an organisation chart takes one call for each generation`() async throws {
    let store = ScriptedStore(over: MemoryStore(organisation))
    let cache = try GraphCache(for: Employee.self, store: store, capacity: 5)
    let roots: [Ref<Employee>] = [1, 0, 2]
    let graphs = try await cache.find(roots.graphs(.following(Employee.reports, generations: 2)))
    #expect(graphs.map { $0?.count } == [13, 13, 13])
    #expect(store.calls.map(\.kind) == [.fetch, .referrers, .referrers])
    #expect(store.calls.map(\.refs.count) == [3, 3, 7])
    let reports = try #require(graphs[1]).root[Employee.reports]
    #expect(reports.map(\.id) == [1, 2, 3])
    #expect(reports.isComplete)
    #expect(reports.first?[Employee.reports].map(\.id) == [4, 5, 6])
    #expect(
      graphs[1]?.root[Employee.reports].first?[Employee.reports].first?[Employee.reports].isComplete
        == false)
    #expect(cache.count == 5)
    #expect(await cache.audit() == [])
  }

  /// More records than the cache remembers referrers of.
  @Test func `an inverse may have more referrers than the cache remembers`() async throws {
    let employees = (0..<4_000).map {
      Employee(id: $0, manager: $0 < 3_000 ? nil : Ref($0 - 3_000))
    }
    let store = ScriptedStore(over: MemoryStore(employees))
    let cache = try GraphCache(for: Employee.self, store: store, capacity: 10)
    let graphs = try await cache.find(
      ((0..<3_000).map { Ref($0) }).graphs(.following(Employee.reports)))
    #expect(graphs.count { $0?.count == 2 } == 1_000)
    #expect(graphs.allSatisfy { $0?.root[Employee.reports].isComplete == true })
    #expect(store.calls.map(\.kind) == [.fetch, .referrers, .referrers])
  }

  @Test func `several relationships form one inverse`() async throws {
    let cache = try GraphCache(for: Employee.self, store: MemoryStore(organisation))
    let graph = try await cache.graph(
      of: Ref<Employee>(7), .following(Employee.team, generations: 1))
    #expect(graph.root[Employee.team].map(\.id) == [7, 22, 23, 24])
    #expect(graph.root[Employee.reports].map(\.id) == [22, 23, 24])
    #expect(graph.root[Employee.team].isComplete)
    let cut = try await cache.graph(
      of: Ref<Employee>(7), .following(Employee.team).limited(to: 3))
    #expect(cut.root[Employee.team].map(\.id) == [7, 22, 23])
    #expect(!cut.root[Employee.team].isComplete)
    #expect(
      cut.description == """
        Employee(7)
        ├─ manager: Employee(2) …
        ├─ deputy: Employee(7) ↑
        ├─ ←manager: Employee(22)
        │  ├─ manager: Employee(7) ↑
        │  ├─ ←manager: …
        │  └─ ←deputy: …
        ├─ ←manager: Employee(23)
        │  ├─ manager: Employee(7) ↑
        │  ├─ ←manager: …
        │  └─ ←deputy: …
        ├─ ←manager: …
        └─ ←deputy: Employee(7) ↑
        """)
  }

  /// The order does not depend on how the referrers came into memory, or which was reached first.
  @Test func `an inverse has the same order in every read`() async throws {
    for seed in try Effort().seeds(100) {
      var generator = SplitMix64(seed: seed)
      let ids = 0..<Int.random(in: 1...12, using: &generator)
      let employees = ids.map { id in
        Employee(
          id: id, manager: ids.randomElement(using: &generator).map { Ref($0) },
          deputy: ids.randomElement(using: &generator).map { Ref($0) })
      }
      let store = MemoryStore(employees.shuffled(using: &generator))
      let cache = try GraphCache(for: Employee.self, store: store)
      for employee in employees.shuffled(using: &generator).prefix(ids.count / 2) {
        _ = try await cache.find(employee.ref)
      }
      let (boss, other) = (Ref<Employee>(0), Ref<Employee>(ids.upperBound - 1))
      let plan = Plan<Employee>.following(Employee.team).following(\.manager).following(\.deputy)
      for (inverse, isTeam) in [(Employee.team, true), (Employee.reports, false)] {
        let expected = employees.filter { employee in
          employee.manager == boss || (isTeam && employee.deputy == boss)
        }.map(\.id)
        let graphs = [
          try await cache.graph(of: boss, plan), try await cache.graph(of: other, plan),
          try await cache.graph(of: boss, plan),
        ]
        for graph in graphs {
          guard let node = graph[boss].node else { continue }
          try verifyEqual(node[inverse].map(\.id), expected, "the nodes from \(graph.root)")
        }
        try verifyEqual(
          await cache.find(boss.related(inverse)).map(\.id), expected, "the related records")
        let staged = Employee(id: Int.random(in: -1...12, using: &generator), manager: boss)
        let (found, changes) = try await cache.write { tx in
          try tx.put(staged)
          return try tx.related(boss, inverse).map(\.id)
        }
        try verifyEqual(
          found, Set(expected + [staged.id]).sorted(), "the related records in a transaction")
        _ = try await cache.write { tx in try tx.apply(changes.inverted) }
        await cache.removeAll()
      }
    }
  }

  @Test func `a store that cannot find referrers names the missing method`() async throws {
    struct PlainStore: BackingStore {
      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { [] }
    }
    let cache = try GraphCache(for: Employee.self, store: PlainStore())
    let error = await #expect(throws: KinshipError.self) {
      try await cache.find(Ref<Employee>(0).related(Employee.reports))
    }
    #expect(
      error?.localizedDescription == """
        PlainStore does not support a search for records that refer by Employee.manager: \
        it has no `referrers(to:by:)`. Add the operation to it, or use a store that has it.
        """)
  }

  @Test func `an observed graph shows a new referrer`() async throws {
    let cache = try GraphCache(for: Employee.self, store: MemoryStore(organisation))
    let plan = Plan<Employee>.following(Employee.reports, generations: 2)
    var changes = cache.observe(Ref<Employee>(5).graph(plan)).makeAsyncIterator()
    var change = try #require(try await changes.next())
    while change.isLoading { change = try #require(try await changes.next()) }
    #expect(change.value?.root[Employee.reports].map(\.id) == [16, 17, 18])
    try await cache.put(Employee(id: 99, manager: 5))
    change = try #require(try await changes.next())
    #expect(change.value?.root[Employee.reports].map(\.id) == [16, 17, 18, 99])
    #expect(change.diff.inserted.count == 1)
    try await cache.write { tx in try tx.delete(Ref<Employee>(16)) }
    change = try #require(try await changes.next())
    #expect(change.value?.root[Employee.reports].map(\.id) == [17, 18, 99])
    await cache.removeAll()
    try await cache.put(Employee(id: 98, manager: 5))
    change = try #require(try await changes.next())
    #expect(change.value?.root[Employee.reports].last?.id == 98)
    #expect(await cache.audit() == [])
  }

  /// A record that is put while the store searches for referrers, and evicted before the store has
  /// answered, is not lost.
  @Test func `a referrer written and evicted during the store's call is found`() async throws {
    let memory = MemoryStore(organisation)
    let gate = Gate()
    let store = ScriptedStore(
      over: memory, script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let cache = try GraphCache(for: Employee.self, store: store)
    async let reports = cache.find(Ref<Employee>(5).related(Employee.reports))
    try await gate.waitForWaiters(1)
    let late = Employee(id: 99, manager: 5)
    memory.insert([late])
    try await cache.put(late)
    await cache.evict(late.ref)
    gate.open()
    #expect(try await Set(reports.map(\.id)) == [16, 17, 18, 99])
    #expect(store.calls.count { $0.kind == .referrers } == 2)
    #expect(await cache.audit() == [])
  }

  @Test func `a plan must match the schema`() async throws {
    struct Stranger: GraphRecord {
      let id: Int
      var boss: Ref<Employee>?
      static let relationships: Relationships<Stranger> = [.toOne(\.boss)]
    }
    let cache = try GraphCache(for: Employee.self, store: MemoryStore(organisation))
    await #expect(throws: KinshipError.self) {
      try await cache.graph(
        of: Ref<Employee>(0), .following(Inverse<Employee, Stranger>(\.boss)))
    }
    let graph = try await cache.graph(of: Ref<Employee>(0))
    let strangers = graph.root[Inverse<Employee, Stranger>(\.boss)]
    #expect(strangers.isEmpty && !strangers.isComplete)
  }
}

extension Key {
  fileprivate func evict(from cache: GraphCache) async {
    switch kind {
    case .author: _ = await cache.evict(Author<Int>.ref(number))
    case .work: _ = await cache.evict(Work<Int>.ref(number))
    }
  }

  fileprivate func invalidate(in cache: GraphCache) async {
    switch kind {
    case .author: await cache.invalidate(Author<Int>.ref(number))
    case .work: await cache.invalidate(Work<Int>.ref(number))
    }
  }

  fileprivate func read(from cache: GraphCache) async throws {
    switch kind {
    case .author: _ = try await cache.find(Author<Int>.ref(number))
    case .work: _ = try await cache.find(Work<Int>.ref(number))
    }
  }
}
