import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipTrials

/// A record's property may use the cache when it is released: no lock is held then, whatever
/// released it.
struct DestructionTests {
  private struct Held: GraphRecord, Equatable {
    let id: Int
    var witnessed: Witnessed
    var next: Ref<Held>?
    static let relationships: Relationships<Held> = [.toOne(\.next)]

    /// Setting it replaces the record's object.
    var computed: Int {
      get { id }
      set { witnessed = Witnessed() }
    }

    init(_ id: Int, next: Int? = nil) {
      self.id = id
      witnessed = Witnessed()
      self.next = next.map { Ref($0) }
    }
  }

  /// A record of another type, which a put may evict.
  private struct Other: GraphRecord {
    let id: Int
    var witnessed = Witnessed()
  }

  /// Runs a body on a cache whose records hold witnesses, and counts those that are released.
  private func expectEnds(
    atLeast count: Int, capacity: Int = .max, store: (any BackingStore)? = nil,
    _ body: (GraphCache) async throws -> Void, location: SourceLocation = #_sourceLocation
  ) async throws {
    let log = Witness.Log()
    try await Witness.Log.$current.withValue(log) {
      let cache = try GraphCache(for: Held.self, Other.self, store: store, capacity: capacity)
      log.watch(cache)
      try await body(cache)
      #expect(log.ends >= count, sourceLocation: location)
      #expect(log.endsUnderLock == 0, sourceLocation: location)
      #expect(await cache.audit() == [], sourceLocation: location)
    }
  }

  private let ref = Ref<Held>(1)

  @Test func `a record released under the lock is detected`() throws {
    let log = Witness.Log()
    let cache = try GraphCache(for: Held.self)
    log.watch(cache)
    var witness: Witness? = Witness(log)
    cache.state.withLock { _ in witness = nil }
    #expect(witness == nil)
    #expect(log.endsUnderLock == 1)
  }

  @Test func `writes release records outside the lock`() async throws {
    try await expectEnds(atLeast: 12) { cache in
      for _ in 0..<3 { try await cache.put(Held(1)) }
      try await cache.update(ref) { $0 = Held(1) }
      try await cache.update(ref, \.witnessed, to: Witnessed())
      try await cache.update(ref, \.witnessed.witness, to: Witness())
      try await cache.update(ref, \.computed, to: 0)
      try await cache.update(ref) { $0.witnessed = Witnessed() }
      try await cache.put(contentsOf: [Held(1), Held(1), Held(2)])
      await cache.remove(ref)
      try await cache.put(Held(1))
      await cache.invalidate(ref)
      try await cache.put(Held(1))
      await cache.evict(ref)
    }
  }

  @Test func `evictions release records outside the lock`() async throws {
    try await expectEnds(atLeast: 1_200, capacity: 10) { cache in
      for id in 0..<100 { try await cache.put(Held(id)) }
      for id in 0..<100 { try await cache.put(id.isMultiple(of: 3) ? Held(id) : Held(id + 100)) }
      for id in 0..<20 { try await cache.put(Other(id: id)) }
      for id in 0..<20 { try await cache.put(Held(id)) }
      try await cache.put(contentsOf: (0..<1_000).map { Held($0) })
      try await cache.put(contentsOf: (0..<20).map { Other(id: $0) })
    }
    try await expectEnds(atLeast: 100, capacity: 0) { cache in
      try await cache.put(contentsOf: (0..<100).map { Held($0) })
      try await cache.put(Held(1))
    }
  }

  @Test func `bulk changes release records outside the lock`() async throws {
    for isListening in [false, true] {
      try await expectEnds(atLeast: 2_000) { cache in
        let subscription = isListening ? cache.onRemoval { _ in } : nil
        try await cache.put(contentsOf: (0..<1_000).map { Held($0) })
        await cache.trim(to: 10)
        try await cache.put(contentsOf: (0..<1_000).map { Held($0) })
        await cache.removeAll()
        withExtendedLifetime(subscription) {}
      }
    }
  }

  @Test func `an ended lease releases records outside the lock`() async throws {
    try await expectEnds(atLeast: 90, capacity: 10) { cache in
      let lease = cache.lease((0..<100).map { Ref<Held>($0) })
      try await cache.put(contentsOf: (0..<100).map { Held($0) })
      lease.end()
    }
  }

  @Test(arguments: [false, true])
  func `transactions release records outside the lock`(hasStore: Bool) async throws {
    try await expectEnds(atLeast: 10, store: hasStore ? MemoryStore() : nil) { cache in
      var changes = try await cache.write { tx in
        for id in 1...5 { try tx.insert(Held(id, next: id + 1)) }
        try tx.update(Ref<Held>(2), \.witnessed, to: Witnessed())
        try tx.update(Ref<Held>(2), \.witnessed, to: Witnessed())
        try tx.update(Ref<Held>(2), \.computed, to: 1)
        try tx.update(Ref<Held>(2)) { $0.witnessed = Witnessed() }
        try tx.update(Ref<Held>(2)) { $0.witnessed = Witnessed() }
      }
      changes = try await cache.write { tx in
        try tx.update(Ref<Held>(3)) { $0.witnessed = Witnessed() }
        try tx.delete(Ref<Held>(3))
        try tx.delete(Ref<Held>(4))
        try tx.insert(Held(4))
      }
      let inverse = try changes.inverted
      changes = ChangeSet()
      try await cache.write { tx in
        try tx.update(Ref<Held>(5), \.witnessed, to: Witnessed())
        try tx.apply(inverse)
      }
      try await cache.write { tx in
        for id in 1...5 { try tx.delete(Ref<Held>(id)) }
      }
    }
  }

  @Test func `rejected optimistic writes release records outside the lock`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: MemoryStore([Held(1), Held(2)]),
      script: .plain.onCall(
        2, StoreBehavior(pause: .gate(gate), failure: ScriptedFailure(call: 2))))
    try await expectEnds(atLeast: 4, store: store) { cache in
      _ = try await cache.resolve(ref)
      _ = try await cache.resolve(Ref<Held>(2))
      let first = try await cache.writeOptimistically { tx in
        try tx.update(Ref<Held>(1)) { $0.witnessed = Witnessed() }
        try tx.insert(Held(3))
      }
      let second = try await cache.writeOptimistically { tx in
        try tx.update(Ref<Held>(1)) { $0.witnessed = Witnessed() }
        try tx.update(Ref<Held>(2)) { $0.witnessed = Witnessed() }
      }
      gate.open()
      await #expect(throws: (any Error).self) { try await first.outcome() }
      _ = try? await second.outcome()
    }
  }

  @Test func `captures and restorations release records outside the lock`() async throws {
    try await expectEnds(atLeast: 400) { cache in
      try await cache.put(contentsOf: (0..<200).map { Held($0) })
      var reader = await cache.beginCapture()
      try reader.takeOrder()
      _ = reader.next(limit: 10)
      try await cache.put(contentsOf: (0..<200).map { Held($0) })
      await cache.removeAll()
      cache.endCapture()
    }
    try await expectEnds(atLeast: 50, capacity: 10) { cache in
      try await cache.put(contentsOf: (0..<10).map { Held($0) })
      let contents = try await CapturedContents(of: cache, limit: 7)
      try await cache.put(contentsOf: (20..<60).map { Held($0) })
      _ = try await contents.restore(into: cache)
      await cache.removeAll()
    }
  }

  /// A store that creates new records for each call, as a database does.
  private struct MakingStore: BackingStore {
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      ids.compactMap { $0 as? Int }.filter { $0 < 1_000 }
        .compactMap { Held($0, next: $0 * 2) as? R }
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      (0..<50).compactMap { Held($0) as? R }
    }

    func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      (100..<150).compactMap { Held($0, next: 7) as? Source }
    }

    func apply(_ changes: ChangeSet) async throws {}
  }

  @Test(arguments: [0, 8, 100])
  func `loads release records outside the lock`(capacity: Int) async throws {
    try await expectEnds(atLeast: 40, capacity: capacity, store: MakingStore()) { cache in
      for id in 1...40 { _ = try await cache.find(Ref<Held>(id)) }
      _ = try await cache.find((1...200).map { Ref<Held>($0) })
      _ = try await cache.find(RecordQuery<Held>())
      _ = try await cache.graph(of: ref, .generations(5))
      _ = try await cache.find(Ref<Held>(7).related(Inverse(\Held.next)))
      for id in 1...40 { await cache.invalidate(Ref<Held>(id)) }
      async let loaded = cache.find(Ref<Held>(500))
      try await cache.put(Held(500))
      _ = try await loaded
      await cache.removeAll()
    }
  }

  @Test func `observers release records outside the lock`() async throws {
    try await expectEnds(atLeast: 30) { cache in
      try await cache.put(contentsOf: (1...5).map { Held($0) })
      var changes = cache.observe(ref).makeAsyncIterator()
      var ofType = cache.observe(Held.self).makeAsyncIterator()
      _ = try await changes.next()
      _ = try await ofType.next()
      for _ in 0..<3 { try await cache.put(contentsOf: (1...5).map { Held($0) }) }
      await cache.removeAll()
      for _ in 0..<3 { try await cache.put(contentsOf: (1...5).map { Held($0) }) }
      changes = cache.observe(ref).makeAsyncIterator()
      ofType = cache.observe(Held.self).makeAsyncIterator()
    }
  }

  /// The same for the lock of a store.
  private final class StoreReader: Sendable {
    let store: MemoryStore

    init(_ store: MemoryStore) { self.store = store }

    deinit { _ = store[Ref<Read>(1)] }
  }

  private struct Read: GraphRecord {
    let id: Int
    var reader: StoreReader
  }

  @Test func `a memory store releases records outside its lock`() async throws {
    let store = MemoryStore()
    let cache = try GraphCache(for: Read.self, store: store)
    for _ in 0..<3 { store.insert((1...3).map { Read(id: $0, reader: StoreReader(store)) }) }
    // A sequence may use the store, too.
    let known = (1...3).lazy.filter { _ in store.count(of: Read.self) > 0 }
    store.insert(known.map { Read(id: $0, reader: StoreReader(store)) })
    for _ in 0..<3 {
      try await cache.write { tx in
        try tx.update(Ref<Read>(1)) { $0.reader = StoreReader(store) }
        try tx.update(Ref<Read>(2), \.reader, to: StoreReader(store))
      }
      await cache.removeAll()
    }
    try await cache.write { tx in try tx.delete(Ref<Read>(1)) }
    store.remove(Ref<Read>(2))
    store.remove(Ref<Read>(3))
    #expect(store.count(of: Read.self) == 0)
  }
}
