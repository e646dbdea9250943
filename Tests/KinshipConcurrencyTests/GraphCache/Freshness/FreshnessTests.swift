import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The age limits of reads, and the handling of older records.
@Suite(.boundedWaits, .tags(.lawA1, .lawA2))
struct FreshnessTests {
  private typealias Node = TestNode<Int>

  private struct Outage: Error {}

  /// A cache with a clock, over a store that can be made to fail.
  private struct System {
    let clock = ManualClock()
    let memory = MemoryStore()
    let store: ScriptedStore
    let cache: GraphCache

    init(_ rules: [FreshnessRule] = [], hasRecords: Bool = true) throws {
      if hasRecords { memory.insert((1...3).map { Node(id: $0, value: $0) }) }
      store = ScriptedStore(over: memory)
      cache = try GraphCache(for: Node.self, store: store, freshness: rules, clock: clock)
    }

    /// Changes a record without the cache's knowledge.
    func change(_ id: Int, to value: Int) { memory.insert([Node(id: id, value: value)]) }

    func fail(_ fails: Bool) {
      let failure = StoreBehavior(failure: ScriptedFailure(call: 0))
      store.follow(fails ? StoreScript { _, _ in failure } : .plain)
    }
  }

  private let one = Ref<Node>(1)

  @Test func `an expired record is loaded again`() async throws {
    let system = try System()
    let cache = system.cache
    #expect(try await cache.resolve(one).value == 1)
    system.change(1, to: 10)
    system.clock.advance(by: .seconds(60))
    #expect(try await cache.resolve(one, .within(.seconds(60))).value == 1)
    #expect(try await cache.resolve(one).value == 1)
    system.clock.advance(by: .milliseconds(100))
    #expect(try await cache.resolve([one, one], .within(.seconds(60))).map(\.value) == [10, 10])
    #expect(system.store.requests(for: one) == 2)
    #expect(cache.age(of: one) == .zero)
    #expect(await cache.audit() == [])
  }

  /// The limit is exact to the tenth of a second, from the reader or from the type.
  @Test(arguments: [true, false]) func `the age limit is exact`(readerSays: Bool) async throws {
    for limit in [0, 1, 2, 3, 7, 10, 11, 600] {
      for age in max(0, limit - 4)...limit + 4 {
        let bound = Duration.milliseconds(limit * 100)
        let system = try System(readerSays ? [] : [FreshnessRule(Node.self, .within(bound))])
        let cache = system.cache
        _ = try await cache.resolve(one)
        system.change(1, to: 10)
        system.clock.advance(by: .milliseconds(age * 100))
        let read =
          readerSays ? try await cache.resolve(one, .within(bound)) : try await cache.resolve(one)
        #expect(read.value == (age <= limit ? 1 : 10), "\(age) of \(limit) tenths")
      }
    }
  }

  /// A pending write is as fresh as the moment, however long the store takes for it.
  @Test func `a pending write is fresh`() async throws {
    let system = try System()
    let (cache, gate) = (system.cache, Gate())
    _ = try await cache.resolve(one)
    system.store.follow(StoreScript { _, _ in StoreBehavior(pause: .gate(gate)) })
    let write = try await cache.writeOptimistically { try $0.update(one, \.value, to: 5) }
    try await system.store.waitForCalls(2)
    system.clock.advance(by: .seconds(100))
    #expect(try await cache.resolve(one, .within(.seconds(10))).value == 5)
    #expect(try await cache.resolve([one], .within(.seconds(10))).map(\.value) == [5])
    #expect(try await cache.find(one.graph(), .within(.seconds(10))).root.value == 5)
    let shown = try await cache.find(one.dated, .within(.seconds(10)))
    #expect(shown?.isStale == false && shown?.age == .zero)
    let list = try await cache.find([one].dated, .within(.seconds(10)))
    #expect(list[0]?.isStale == false && list[0]?.age == .zero)
    let graph = try await cache.find(one.datedGraph(), .fresh(.within(.seconds(10))))
    #expect(!graph.isStale && graph.age == .zero)
    #expect(system.store.calls.count == 2)
    gate.open()
    try await write.outcome()
  }

  @Test func `an absence has its own age`() async throws {
    let system = try System(hasRecords: false)
    let cache = system.cache
    #expect(try await cache.find(one) == nil)
    system.change(1, to: 10)
    system.clock.advance(by: .seconds(5))
    #expect(try await cache.find(one, .within(.seconds(5))) == nil)
    let impatient = Freshness(limit: .seconds(60), missingLimit: .seconds(1))
    #expect(try await cache.find(one.dated, .fresh(impatient))?.value.value == 10)
    #expect(await cache.audit() == [])
  }

  @Test func `a stale record is shown while it loads`() async throws {
    let system = try System()
    let (cache, gate) = (system.cache, Gate())
    let policy = Freshness.staleWhileRevalidating(after: .seconds(60), upTo: .seconds(600))
    _ = try await cache.resolve(one)
    system.change(1, to: 10)
    system.clock.advance(by: .seconds(100))
    system.store.follow(StoreScript { _, _ in StoreBehavior(pause: .gate(gate)) })
    for _ in 0..<1_000 {
      let shown = try #require(try await cache.find(one.dated, .fresh(policy)))
      #expect(shown.isStale && shown.value.value == 1 && shown.age == .seconds(100))
    }
    try await system.store.waitForCalls(2)
    gate.open()
    for try await change in cache.observe(one) where change.value?.value == 10 { break }
    #expect(try await cache.find(one.dated, .fresh(policy))?.isStale == false)
    #expect(system.store.requests(for: one) == 2)
    // A read waits for a record that is older than the second bound.
    system.change(1, to: 20)
    system.clock.advance(by: .seconds(601))
    #expect(try await cache.find(one.dated, .fresh(policy))?.value.value == 20)
  }

  /// Records that were loaded together are not revalidated together.
  @Test func `revalidations are spread out in time`() async throws {
    let system = try System([
      FreshnessRule(Node.self, .staleWhileRevalidating(after: .seconds(100)))
    ])
    let cache = system.cache
    let refs = (1...500).map { Ref<Node>($0) }
    system.memory.insert(refs.map { Node(id: $0.id, value: 0) })
    _ = try await cache.find(refs)
    func asked() -> Int { refs.reduce(-500) { $0 + system.store.requests(for: $1) } }
    system.clock.advance(by: .seconds(90))
    for ref in refs { _ = try await cache.resolve(ref) }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(asked() == 0)
    system.clock.advance(by: .seconds(5))
    for ref in refs { _ = try await cache.resolve(ref) }
    try await wait { asked() >= 100 }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(asked() <= 400)
  }

  /// The cache asks such a store again after a second, however often the record is read.
  @Test func `a store that fails in the background rests for a second`() async throws {
    let system = try System([FreshnessRule(Node.self, .staleWhileRevalidating(after: .seconds(9)))])
    let cache = system.cache
    _ = try await cache.resolve(one)
    system.clock.advance(by: .seconds(10))
    system.fail(true)
    for calls in 2...4 {
      #expect(try await cache.resolve(one).value == 1)
      try await wait {
        cache.state.withLock { !$0.mayRevalidate(TypeNumber(0), at: $0.map.clock.now) }
      }
      for _ in 0..<100 { #expect(try await cache.resolve(one).value == 1) }
      for _ in 0..<1_000 { await Task.yield() }
      #expect(system.store.calls.count == calls)
      system.clock.advance(by: .seconds(1))
    }
  }

  @Test func `a stale record is shown if the store fails`() async throws {
    let system = try System()
    let cache = system.cache
    let policy = Freshness.staleIfFailing(after: .seconds(60), upTo: .seconds(600))
    _ = try await cache.resolve(one)
    system.change(1, to: 10)
    system.fail(true)
    system.clock.advance(by: .seconds(100))
    let shown = try #require(try await cache.find(one.dated, .fresh(policy)))
    #expect(shown.isStale && shown.value.value == 1 && shown.failure != nil)
    let graph = try await cache.find(one.datedGraph(), .fresh(policy))
    #expect(graph.isStale && graph.value.root.value == 1 && graph.failure != nil)
    #expect(graph.age == .seconds(100))
    await #expect(throws: KinshipError.self) {
      try await cache.resolve(one, .within(.seconds(60)))
    }
    #expect(cache.peek(one)?.value == 1)
    system.clock.advance(by: .seconds(501))
    await #expect(throws: KinshipError.self) { try await cache.find(one.dated, .fresh(policy)) }
    await #expect(throws: KinshipError.self) {
      try await cache.find(one.datedGraph(), .fresh(policy))
    }
    system.fail(false)
    let fresh = try #require(try await cache.find(one.dated, .fresh(policy)))
    #expect(!fresh.isStale && fresh.value.value == 10 && fresh.failure == nil)
    #expect(await cache.audit() == [])
  }

  @Test func `a type limits the age of its records`() async throws {
    let system = try System([FreshnessRule(Node.self, .within(.seconds(60)))])
    let cache = system.cache
    let held = try await cache.graph(of: one, .generations(0))
    for (round, value) in [10, 20, 30, 40, 50, 60].enumerated() {
      _ = try await cache.find([one, Ref<Node>(2), Ref<Node>(3)])
      _ = try await cache.find(RecordQuery<Node>())
      system.change(1, to: value)
      #expect(try await cache.find(one)?.value != value)
      system.clock.advance(by: .seconds(61))
      switch round {
      case 0: #expect(try await cache.resolve(one).value == value)
      case 1: #expect(try await cache.graph(of: one).root.value == value)
      case 2:
        let byValue = RecordQuery<Node>().sorted(by: \.value, .descending)
        let page = try await cache.page(byValue, size: 1, .within(.seconds(60)))
        #expect(page.records.map(\.value) == [value])
        let query = RecordQuery<Node>().sorted(by: \.value, .descending)
        #expect(try await cache.find(query).first?.value == value)
      case 3: #expect(try await cache.find([one].graphs()).map { $0?.root.value } == [value])
      case 4: #expect(try await cache.expand(held, from: one).root.value == value)
      default: #expect(try await cache.resolve([one]).map(\.value) == [value])
      }
    }
  }

  /// The absence of a root has an age limit, too.
  @Test func `an absent root is requested again when its absence expires`() async throws {
    let system = try System()
    let (cache, root) = (system.cache, Ref<Node>(77))
    await #expect(throws: KinshipError.self) { try await cache.graph(of: root) }
    system.change(77, to: 5)
    system.clock.advance(by: .seconds(61))
    await #expect(throws: KinshipError.self) {
      try await cache.find(root.graph(), .within(.seconds(100)))
    }
    let graphs = try await cache.find([one, root].graphs(), .within(.seconds(100)))
    #expect(graphs.map { $0?.root.value } == [1, nil])
    #expect(try await cache.find(root.graph(), .within(.seconds(60))).root.value == 5)
    #expect(try await cache.find([root].graphs())[0]?.root.value == 5)
  }

  /// One call for any number of records, and no notification for unchanged ones.
  @Test func `a refreshed query is one call and notifies only of changes`() async throws {
    let system = try System()
    let cache = system.cache
    let all = RecordQuery<Node>().sorted(by: \.id)
    system.memory.insert((1...1_000).map { Node(id: $0, value: $0) })
    _ = try await cache.find(all)
    var changes = cache.observe((1...1_000).map { Ref<Node>($0) }).makeAsyncIterator()
    _ = try await changes.next()
    let version = cache.state.withLock { $0.map.version }
    let calls = system.store.calls.count
    #expect(try await cache.refresh(all).count == 1_000)
    #expect(cache.state.withLock { $0.map.version } == version)
    #expect(system.store.calls.count == calls + 1)
    system.change(700, to: -700)
    system.memory.remove(Ref<Node>(800))
    #expect(try await cache.refresh(all).count == 999)
    let change = try #require(try await changes.next())
    #expect(change.diff.updated.count + change.diff.removed.count == 2)
    #expect(cache.peek(Ref<Node>(700))?.value == -700)
    #expect(cache.peek(Ref<Node>(800)) == nil)
    #expect(await cache.audit() == [])
  }

  /// A record that a store has kept for a while arrives with its age.
  @Test func `a copy has the age that its store reports`() async throws {
    struct Copies: ForwardingStore {
      let base: any BackingStore

      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
        let records = try await base.fetch(type, ids: ids)
        if (AnswerAges.limit ?? .seconds(60)) >= .seconds(30) {
          AnswerAges.note(records.map { ($0.ref, age: .seconds(30)) })
        }
        return records
      }
    }
    let (clock, memory) = (ManualClock(), MemoryStore([Node(id: 1, value: 1)]))
    let cache = try GraphCache(for: Node.self, store: Copies(base: memory), clock: clock)
    _ = try await cache.resolve(one)
    #expect(cache.age(of: one) == .seconds(30))
    // The limit excludes copies: this answer comes from the source.
    _ = try await cache.resolve(one, .within(.seconds(10)))
    #expect(cache.age(of: one) == .zero)
    // An older copy does not replace the record in memory.
    clock.advance(by: .seconds(20))
    memory.insert([Node(id: 1, value: 2)])
    _ = try await cache.find(
      one.dated, .fresh(Freshness.staleIfFailing(after: .seconds(1), upTo: .seconds(60))))
    #expect(try await cache.resolve(one, .within(.seconds(1))).value == 2)
    #expect(cache.age(of: one) == .zero)
  }

  /// A store that has only copies cannot replace newer records.
  @Test func `an older copy does not replace a newer record`() async throws {
    struct Copies: ForwardingStore {
      let base: any BackingStore

      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
        let records = try await base.fetch(type, ids: ids)
        AnswerAges.note(records.map { ($0.ref, age: .seconds(30)) })
        return records
      }
    }
    let (clock, memory) = (ManualClock(), MemoryStore([Node(id: 1, value: 1)]))
    let cache = try GraphCache(for: Node.self, store: Copies(base: memory), clock: clock)
    try await cache.put(Node(id: 1, value: 5))
    clock.advance(by: .seconds(20))
    let shown = try #require(try await cache.find(one.dated, .within(.seconds(10))))
    #expect(shown.value.value == 5 && shown.isStale && shown.age == .seconds(20))
    clock.advance(by: .seconds(20))
    #expect(try await cache.find(one.dated, .within(.seconds(35)))?.value.value == 1)
    #expect(cache.age(of: one) == .seconds(30))
  }

  /// A store that follows plans, and whose records are all copies from half a minute ago.
  private struct OldCopies: ForwardingStore {
    let base: any BackingStore
    let isOld = Gate()

    private func note<R: GraphRecord>(_ records: [R]) {
      if isOld.isOpen { AnswerAges.note(records.map { ($0.ref, age: .seconds(30)) }) }
    }

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      let records = try await base.fetch(type, ids: ids)
      note(records)
      return records
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      let records = try await base.fetch(query)
      note(records)
      return records
    }

    func fetch<R: GraphRecord>(
      _ type: R.Type, ids: [R.ID], following plan: FetchPlan
    ) async throws -> FetchedGraph<R>? {
      let graph = try await base.fetch(type, ids: ids, following: plan)
      if let graph { note(graph.records) }
      return graph
    }
  }

  @Test func `a query answered by older copies replaces no newer record`() async throws {
    let clock = ManualClock()
    let store = OldCopies(base: MemoryStore([Node(id: 1, value: 1), Node(id: 2, value: 2)]))
    store.isOld.open()
    let cache = try GraphCache(for: Node.self, store: store, clock: clock)
    try await cache.put(Node(id: 1, value: 5))
    clock.advance(by: .seconds(20))
    let all = RecordQuery<Node>().sorted(by: \.id)
    #expect(try await cache.find(all, .within(.seconds(10))).map(\.value) == [5, 2])
    #expect(cache.age(of: one) == .seconds(20))
    #expect(cache.age(of: Ref<Node>(2)) == .seconds(30))
    // Now the copy is the newer one.
    clock.advance(by: .seconds(20))
    #expect(try await cache.find(all, .within(.seconds(10))).map(\.value) == [1, 2])
    #expect(cache.age(of: one) == .seconds(30))
    #expect(await cache.audit() == [])
  }

  /// The store reports the root's age, but none for the record that it sends along.
  @Test func `a record sent along with an older copy has its own age`() async throws {
    let clock = ManualClock()
    let memory = MemoryStore([Node(id: 1, value: 1, links: [2]), Node(id: 2, value: 2)])
    let store = OldCopies(base: ScriptedStore(over: memory, followsPlans: true))
    let plan = Plan<Node>.generations(1)
    // The cache learns that the store follows plans.
    let cache = try GraphCache(for: Node.self, store: store, clock: clock)
    _ = try await cache.graph(of: one, plan)
    store.isOld.open()
    clock.advance(by: .seconds(100))
    _ = try await cache.refresh(one, plan)
    #expect(cache.age(of: one) == .seconds(30))
    #expect(cache.age(of: Ref<Node>(2)) == .seconds(30))
    await cache.removeAll()
    _ = try await cache.graph(of: one, plan)
    #expect(cache.age(of: one) == .seconds(30))
    #expect(cache.age(of: Ref<Node>(2)) == .seconds(30))
  }

  @Test func `an observed record is loaded again before it expires`() async throws {
    let system = try System()
    let cache = system.cache
    var changes = cache.observe(one).keptFresh(within: .seconds(60)).makeAsyncIterator()
    while try await changes.next()?.value?.value != 1 {}
    for value in 10..<14 {
      system.change(1, to: value)
      try await system.clock.waitForSleepers(1)
      system.clock.advance(by: .seconds(60))
      #expect(try await changes.next()?.value?.value == value)
    }
    var answers = cache.observe(RecordQuery<Node>().sorted(by: \.value, .descending))
      .keptFresh(within: .seconds(60)).makeAsyncIterator()
    #expect(try await answers.next()?.value.count == 3)
    system.memory.remove(Ref<Node>(3))
    try await system.clock.waitForSleepers(2)
    system.clock.advance(by: .seconds(60))
    while try await answers.next()?.value.count != 2 {}
  }

  @Test func `every kind of observation can be kept fresh`() async throws {
    func follow<Value, Diff>(
      _ changes: (GraphCache) -> Changes<Value, Diff>, shows value: (Value) -> Int?
    ) async throws {
      let system = try System()
      _ = try await system.cache.find([one, Ref<Node>(2), Ref<Node>(3)])
      var iterator = changes(system.cache).keptFresh(within: .seconds(60)).makeAsyncIterator()
      #expect(try await iterator.next().flatMap { value($0.value) } == 1)
      for new in 10..<12 {
        system.change(1, to: new)
        try await system.clock.waitForSleepers(1)
        system.clock.advance(by: .seconds(60))
        #expect(try await iterator.next().flatMap { value($0.value) } == new)
      }
    }
    let query = RecordQuery<Node>().sorted(by: \.id)
    try await follow({ $0.observe([self.one]) }, shows: { $0.first?.value })
    try await follow({ $0.observe(self.one.graph(.generations(0))) }, shows: { $0?.root.value })
    try await follow({ $0.observe(Node.self) }, shows: { $0[1]?.value })
    try await follow({ $0.observeAll() }, shows: { ($0[AnyRef(self.one)] as? Node)?.value })
    try await follow(
      { $0.observe(query.sections(by: \.id)) }, shows: { $0.first?.first?.value })
  }

  /// The age of a record counts from its load.
  @Test func `the age of a record counts from before its observation`() async throws {
    let system = try System()
    let cache = system.cache
    _ = try await cache.resolve(one)
    system.clock.advance(by: .seconds(40))
    var changes = cache.observe(one).keptFresh(within: .seconds(60)).makeAsyncIterator()
    #expect(try await changes.next()?.value?.value == 1)
    system.change(1, to: 10)
    try await system.clock.waitForSleepers(1)
    system.clock.advance(by: .seconds(20))
    #expect(try await changes.next()?.value?.value == 10)
  }

  @Test func `an expired record is removed if the rule says so`() async throws {
    let rule = FreshnessRule(Node.self, Freshness(limit: .seconds(60), removesExpired: true))
    let system = try System([rule])
    let cache = system.cache
    let reasons = Lock<[RemovalReason]>([])
    let subscription = cache.onRemoval { removal in reasons.withLock { $0.append(removal.reason) } }
    let lease = cache.lease([Ref<Node>(3)])
    _ = try await cache.find([one, Ref<Node>(2), Ref<Node>(3)])
    system.clock.advance(by: .seconds(30))
    try await cache.put(Node(id: 2, value: 5))
    try await system.clock.waitForSleepers(1)
    system.clock.advance(by: .seconds(32))
    // An explicit call removes the same records as the waiting task.
    await cache.removeExpired()
    #expect(!cache.contains(one) && cache.contains(Ref<Node>(2)) && cache.contains(Ref<Node>(3)))
    #expect(reasons.withLock { $0 } == [.replaced, .expired])
    lease.end()
    system.clock.advance(by: .seconds(70))
    await cache.removeExpired()
    #expect(cache.count == 0)
    #expect(cache.statistics.expirations == 3)
    withExtendedLifetime(subscription) {}
  }

  /// Memory held all records of the type before some of them expired.
  @Test func `a query that allows expired records asks the store for them`() async throws {
    let rule = FreshnessRule(Node.self, Freshness(limit: .seconds(60), removesExpired: true))
    let system = try System([rule])
    #expect(try await system.cache.find(RecordQuery<Node>()).count == 3)
    system.clock.advance(by: .seconds(100))
    await system.cache.removeExpired()
    let found = try await system.cache.find(RecordQuery<Node>(), .within(.seconds(1_000)))
    #expect(found.count == 3)
  }

  /// The number of slots examined depends on the expired records, not on all records.
  @Test func `expired records are found in proportion to their number`() throws {
    var due = DueSlots(lifetime: Age(.seconds(60)))
    for slot in 1...100_000 {
      _ = due.insert(Slot(UInt32(slot)), Stamp.after(.milliseconds(slot)))
    }
    #expect(due.popDue(until: .after(.seconds(60)), limit: .max).isEmpty)
    var taken = 0
    let now = Stamp.after(.seconds(61 + 2))
    while case let slots = due.popDue(until: now, limit: 256), !slots.isEmpty {
      taken += slots.count
    }
    #expect(taken >= 1_000 && taken <= 4_000)
  }

  @Test func `several records are shown while the stale ones load`() async throws {
    let system = try System()
    let cache = system.cache
    let policy = Freshness.staleWhileRevalidating(after: .seconds(60))
    _ = try await cache.resolve(one)
    system.change(1, to: 10)
    system.clock.advance(by: .seconds(100))
    let shown = try await cache.find([one, Ref<Node>(2)].dated, .fresh(policy))
    #expect(shown.map { $0?.isStale } == [true, false])
    try await wait { cache.peek(one)?.value == 10 }
    #expect(try await cache.find([one].dated, .fresh(policy)).map { $0?.value.value } == [10])
  }

  @Test func `copies from a query have the age that their store reports`() async throws {
    struct Copies: ForwardingStore {
      let base: any BackingStore

      func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
        let records = try await base.fetch(query)
        AnswerAges.note(records.map { ($0.ref, age: .seconds(30)) })
        return records
      }
    }
    let memory = MemoryStore((1...3).map { Node(id: $0, value: $0) })
    let cache = try GraphCache(
      for: Node.self, store: Copies(base: memory), clock: ManualClock())
    _ = try await cache.find(RecordQuery<Node>(), .within(.seconds(60)))
    #expect(cache.age(of: one) == .seconds(30))
  }

  /// A large graph is kept for the next caller that requests it.
  @Test func `a refreshed record is in its graph`() async throws {
    let system = try System()
    let (cache, count) = (system.cache, Chunk.size / 4)
    func node(_ id: Int, _ value: Int) -> Node { Node(id: id, value: value, links: [Ref(id + 1)]) }
    system.memory.insert((1...count).map { node($0, $0) })
    for _ in 0..<2 {
      #expect(try await cache.graph(of: one, .generations(count)).root.value == 1)
    }
    system.memory.insert([node(1, 10)])
    #expect(try await cache.refresh(one)?.value == 10)
    #expect(try await cache.graph(of: one, .generations(count)).root.value == 10)
  }
}
