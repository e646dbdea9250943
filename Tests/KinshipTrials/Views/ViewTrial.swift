import Kinship
import KinshipTestSupport

/// Random functions over random families: a view equals its function over the records of one
/// version, whatever was loaded, evicted, rolled back or refused before.
package final class ViewTrial {
  static let people = 12
  private static let query = RecordQuery<TestPerson>().sorted(by: \.id)

  private var world = ViewWorld()
  private let cache: GraphCache
  /// The store, unless the cache has none.
  private let store: ScriptedStore?
  private var isUnreliable = false
  private var generator: SplitMix64
  private var functionCount = 0

  /// Compares views with their functions over the model, new ones after each operation.
  ///
  /// - Parameter seeds: How many lists of operations.
  /// - Returns: How many functions were compared.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  package static func check(seeds: Int) async throws -> Int {
    var count = 0
    try await Property.check(seeds: seeds, steps: 12, generate: ViewStep.random) { steps, seed in
      let trial = try await ViewTrial(seed: seed)
      try await trial.compareViews()
      for step in steps {
        try await trial.perform(step)
        try await trial.compareViews()
      }
      try verifyEqual(await trial.cache.audit(), [], "the audit")
      count += trial.functionCount
    }
    return count
  }

  /// Follows views: each element differs from the one before, and its difference gives the new
  /// value from the old one.
  ///
  /// - Parameter seeds: How many lists of operations.
  /// - Throws: `PropertyFailure` with the smallest list of operations that fails.
  package static func checkObserved(seeds: Int) async throws {
    try await Property.check(seeds: seeds, steps: 20, generate: ViewStep.random) { steps, seed in
      let trial = try await ViewTrial(seed: seed)
      let view = RandomView.random(3, using: &trial.generator)
      var changes = trial.cache.observe(query.view { view.of($0) }).makeAsyncIterator()
      var shown: [String] = []
      for (number, step) in ([nil] + steps.map(Optional.some)).enumerated() {
        if let step { try await trial.perform(step) }
        let expected = trial.expected(view)
        var isFirst = number == 0
        while isFirst || shown != expected {
          guard let change = try await trial.reading({ try await changes.next() }) else {
            throw Mismatch("the changes of \(view) have ended")
          }
          let value = Array(change.value)
          try verifyEqual(change.diff.applying(to: shown), value, "the difference of \(view)")
          try verify(isFirst || value != shown, "\(view) was shown again")
          (shown, isFirst) = (value, false)
        }
      }
      try verifyEqual(await trial.cache.audit(), [], "the audit")
    }
  }

  private init(seed: UInt64) async throws {
    var generator = SplitMix64(seed: seed)
    func maybe() -> Int? {
      generator.chance(0.6) ? Int.random(in: 0..<Self.people + 2, using: &generator) : nil
    }
    func some() -> [Int] {
      Array(Set((0..<Int.random(in: 0..<3, using: &generator)).compactMap { _ in maybe() }))
    }
    for id in 0..<Self.people {
      world.people[id] = TestPerson(
        id: id, name: "p\(id)", father: maybe().map { Ref($0) }, mother: maybe().map { Ref($0) },
        children: some().map { Ref($0) }, events: some().map { Ref($0) })
      world.events[id] = TestEvent(
        id: id, title: "e\(id)", person: Ref(id), place: maybe().map { Ref($0) })
      world.places[id] = TestPlace(id: id, name: "l\(id)", region: nil)
    }
    let memory = MemoryStore(Array(world.people.values))
    memory.insert(Array(world.events.values))
    memory.insert(Array(world.places.values))
    store =
      generator.chance(0.7)
      ? ScriptedStore(over: memory, followsPlans: generator.chance(0.4), seed: seed) : nil
    let isSmall = store != nil && generator.chance(0.3)
    cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store,
      capacity: isSmall ? Int.random(in: 0..<20, using: &generator) : 1_000)
    self.generator = generator
    if store == nil {
      try await cache.put(contentsOf: Array(world.people.values))
      try await cache.put(contentsOf: Array(world.events.values))
      try await cache.put(contentsOf: Array(world.places.values))
    }
  }

  // MARK: Views

  /// Compares three new views with the model.
  private func compareViews() async throws {
    for _ in 0..<3 {
      functionCount += 1
      let view = RandomView.random(3, using: &generator)
      // Views of one line share a plan, which may lead elsewhere than this one.
      let line = UInt.random(in: 0..<4, using: &generator)
      let rows = Self.query.view({ view.of($0) }, line: line)
      let found = try await reading { try await self.cache.find(rows) }
      try verifyEqual(found, expected(view), "\(view)")
      let row = Ref<TestPerson>(3).view({ view.of($0) }, line: line)
      let one = try await reading { try await self.cache.find(row) }
      try verifyEqual(one, view.of(3, world), "\(view) of one")
      if case .complete(let rows) = cache.peek(rows) {
        try verifyEqual(Array(rows), expected(view), "what is known of \(view)")
      }
    }
  }

  private func expected(_ view: RandomView) -> [String] {
    world.people.keys.sorted().compactMap { view.of($0, world) }
  }

  /// Repeats a read until the store answers; after many failures, it always does.
  private func reading<Value>(_ body: () async throws -> Value) async throws -> Value {
    for _ in 0..<20 {
      do { return try await body() } catch { try allow(error) }
    }
    setUnreliable(false)
    return try await body()
  }

  // MARK: Operations

  private func perform(_ step: ViewStep) async throws {
    switch step {
    case .rename(let id, let name): try await change(id) { $0.name = name }
    case .marry(let id, let father, let mother):
      try await change(id) {
        ($0.father, $0.mother) = (father.map { Ref($0) }, mother.map { Ref($0) })
      }
    case .adopt(let id, let children):
      try await change(id) { $0.children = children.map { Ref($0) } }
    case .attend(let id, let events): try await change(id) { $0.events = events.map { Ref($0) } }
    case .retitle(let id, let title):
      guard world.events[id] != nil else { return }
      try await write { tx throws(KinshipError) in
        try tx.update(Ref<TestEvent>(id), \.title, to: title)
      } then: {
        $0.events[id]?.title = title
      }
    case .move(let id, let place):
      guard world.events[id] != nil else { return }
      try await write { tx throws(KinshipError) in
        try tx.update(Ref<TestEvent>(id), \.place, to: place.map { Ref($0) })
      } then: {
        $0.events[id]?.place = place.map { Ref($0) }
      }
    case .region(let id, let region):
      guard world.places[id] != nil else { return }
      try await write { tx throws(KinshipError) in
        try tx.update(Ref<TestPlace>(id), \.region, to: Ref(region))
      } then: {
        $0.places[id]?.region = Ref(region)
      }
    case .renamePlace(let id, let name):
      guard world.places[id] != nil else { return }
      try await write { tx throws(KinshipError) in
        try tx.update(Ref<TestPlace>(id), \.name, to: name)
      } then: {
        $0.places[id]?.name = name
      }
    case .put(let id, let name):
      guard world.people[id] == nil else { return }
      let person = TestPerson(id: id, name: name)
      try await write { tx throws(KinshipError) in
        try tx.insert(person)
      } then: {
        $0.people[id] = person
      }
    case .remove(let id):
      guard world.people[id] != nil, store == nil else { return }
      world.people[id] = nil
      await cache.remove(Ref<TestPerson>(id))
    case .invalidate(let id): if store != nil { await cache.invalidate(Ref<TestPerson>(id)) }
    case .trim(let count): if store != nil { await cache.trim(to: count) }
    case .removeAll: if store != nil { await cache.removeAll() }
    case .writeOptimistically(let id, let name, let isRefused):
      try await writeOptimistically(id, name, isRefused: isRefused)
    case .fail(let isUnreliable): setUnreliable(isUnreliable)
    }
  }

  private func change(
    _ id: Int, _ body: @escaping @Sendable (inout TestPerson) -> Void
  ) async throws {
    guard var person = world.people[id] else { return }
    body(&person)
    try await write { [person] tx throws(KinshipError) in
      try tx.put(person)
    } then: {
      $0.people[id] = person
    }
  }

  /// Writes, unless the store refuses it.
  private func write(
    _ body: @escaping @Sendable (inout GraphCache.Transaction) throws(KinshipError) -> Void,
    then note: (inout ViewWorld) -> Void
  ) async throws {
    do {
      _ = try await cache.write { tx throws(KinshipError) in try body(&tx) }
      note(&world)
    } catch { try allow(error) }
  }

  /// Renames a person, and compares views before the store has committed or refused that.
  private func writeOptimistically(_ id: Int, _ name: String, isRefused: Bool) async throws {
    guard let store, world.people[id] != nil else { return }
    setUnreliable(false)
    let gate = Gate()
    store.follow(
      StoreScript { call, _ in
        call.kind == .apply
          ? StoreBehavior(
            pause: .gate(gate), failure: isRefused ? ScriptedFailure(call: call.number) : nil)
          : StoreBehavior()
      })
    let before = world
    let write = try await cache.writeOptimistically { tx throws(KinshipError) in
      try tx.update(Ref<TestPerson>(id), \.name, to: name)
    }
    world.people[id]?.name = name
    try await compareViews()
    gate.open()
    do {
      _ = try await write.outcome()
      try verify(!isRefused, "a refused write was committed")
    } catch  where isRefused && Self.isScripted(error) {
      world = before
    }
    store.follow(.plain)
  }

  private func setUnreliable(_ isUnreliable: Bool) {
    self.isUnreliable = isUnreliable && store != nil
    store?.follow(
      StoreScript { call, generator in
        isUnreliable && generator.chance(0.3)
          ? StoreBehavior(failure: ScriptedFailure(call: call.number)) : StoreBehavior()
      })
  }

  /// Throws an error that is not one of an unreliable store.
  private func allow(_ error: any Error) throws {
    guard isUnreliable, Self.isScripted(error) else { throw error }
  }

  private static func isScripted(_ error: any Error) -> Bool {
    switch error as? KinshipError {
    case .fetchFailed(_, _, let cause), .commitFailed(let cause): cause is ScriptedFailure
    default: false
    }
  }
}
