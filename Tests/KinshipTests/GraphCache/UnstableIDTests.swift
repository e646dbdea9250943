import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship

/// An id that could not be found again is rejected by every call, and no call waits for it.
struct UnstableIDTests {
  private struct Sample: GraphRecord, Codable, Equatable {
    let id: Double
    var next: Ref<Sample>?
    static let relationships: Relationships<Sample> = [.toOne(\.next)]

    init(_ id: Double, next: Double? = nil) {
      self.id = id
      self.next = next.map { Ref($0) }
    }
  }

  /// An id that has another hash each time.
  private struct Shifting: Hashable, Sendable {
    final class Counter: Sendable {
      private let count = Lock(0)

      func next() -> Int {
        count.withLock { count in
          count += 1
          return count
        }
      }
    }

    let number: Int
    let counter = Counter()

    static func == (left: Shifting, right: Shifting) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(counter.next()) }
  }

  private struct Shifty: GraphRecord {
    let id: Shifting
  }

  private let nan = Ref<Sample>(.nan)

  private func expectRefusal(
    _ location: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async {
    do {
      try await body()
      Issue.record("nothing was thrown", sourceLocation: location)
    } catch KinshipError.invalidSchema(.unstableID(let type)) {
      #expect(type == "Sample" || type == "Shifty", sourceLocation: location)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  @Test(arguments: [false, true])
  func `a throwing call rejects an id that does not equal itself`(hasStore: Bool) async throws {
    let store = ScriptedStore(over: MemoryStore([Sample(1, next: 2), Sample(2)]))
    let cache = try GraphCache(
      for: Sample.self, Shifty.self, store: hasStore ? store : nil)
    await expectRefusal { _ = try await cache.resolve(nan) }
    await expectRefusal { _ = try await cache.resolve([Ref(1), nan]) }
    await expectRefusal { _ = try await cache.find(nan) }
    await expectRefusal { _ = try await cache.find([Ref(2), nan]) }
    await expectRefusal { _ = try await cache.find(Ref<Shifty>(Shifting(number: 1))) }
    await expectRefusal { _ = try await cache.resolve(Sample(1, next: .nan).next) }
    await expectRefusal { _ = try await cache.find(nan.related(Inverse(\Sample.next))) }
    await expectRefusal { _ = try await cache.graph(of: nan) }
    await expectRefusal { try await cache.put(Sample(.nan)) }
    await expectRefusal { try await cache.put(Shifty(id: Shifting(number: 1))) }
    await expectRefusal { try await cache.put(contentsOf: [Sample(1), Sample(.nan)]) }
    await expectRefusal { try await cache.update(nan, \.next, to: nil) }
    await expectRefusal { try await cache.update(nan) { $0.next = nil } }
    await expectRefusal { try await cache.write { tx in try tx.insert(Sample(.nan)) } }
    await expectRefusal { try await cache.write { tx in try tx.put(Sample(.nan)) } }
    await expectRefusal { try await cache.write { tx in tx[nan] = Sample(.nan) } }
    await expectRefusal { try await cache.write { tx in try tx.update(nan, \.next, to: nil) } }
    await expectRefusal {
      var changes = cache.observe(nan).makeAsyncIterator()
      _ = try await changes.next()
    }
    await expectRefusal {
      try await cache.writeOptimistically { tx in try tx.insert(Sample(.nan)) }
    }
    if hasStore {
      await expectRefusal { try await cache.write { tx in try tx.delete(nan) } }
      await expectRefusal { try await cache.write { tx in _ = tx[nan] } }
    }
    #expect(store.calls.isEmpty)
    #expect(cache.count == 0)
    #expect(await cache.audit() == [])
  }

  /// A call that cannot throw does nothing.
  @Test func `a call that cannot throw ignores an id that does not equal itself`() async throws {
    let cache = try GraphCache(for: Sample.self, store: MemoryStore())
    let lease = cache.lease([nan, Ref(1)])
    for _ in 0..<3_000 {
      await cache.remove(nan)
      await cache.invalidate(nan)
      _ = await cache.evict(nan)
    }
    #expect(cache.peek(nan) == nil)
    #expect(await cache[nan] == nil)
    #expect(!cache.contains(nan))
    #expect(cache.age(of: nan) == nil)
    #expect(!cache.isPending(nan))
    #expect(cache.statistics.count == 0)
    lease.end()
    #expect(await cache.audit() == [])
  }

  /// A ref of a record, reached by a walk at once, or after a generation was loaded.
  @Test(arguments: 0...3)
  func `a graph reports a ref whose id does not equal itself`(inMemory: Int) async throws {
    let records = [Sample(1, next: 2), Sample(2, next: 3), Sample(3, next: .nan)]
    let store = ScriptedStore(over: MemoryStore(records))
    let cache = try GraphCache(for: Sample.self, store: store)
    try await cache.put(contentsOf: Array(records.prefix(inMemory)))
    await expectRefusal { _ = try await cache.graph(of: Ref<Sample>(1), .generations(5)) }
    #expect(store.calls.count == 3 - inMemory)
    let graph = try await cache.graph(of: Ref<Sample>(1), .generations(2))
    #expect(graph.count == 3)
    #expect(cache.statistics.leases == 0)
    #expect(await cache.audit() == [])
  }

  /// A store that answers with records that cannot be requested again.
  private struct OddStore: BackingStore {
    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      [Sample(.nan)].compactMap { $0 as? R }
    }

    func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
      [Sample(1), Sample(.nan)].compactMap { $0 as? R }
    }

    func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      [Sample(1, next: 7), Sample(.nan, next: 7)].compactMap { $0 as? Source }
    }
  }

  @Test func `a store's answer with an unstable id is rejected`() async throws {
    let cache = try GraphCache(for: Sample.self, store: OddStore())
    await expectRefusal { _ = try await cache.find(RecordQuery<Sample>()) }
    await expectRefusal { _ = try await cache.find(Ref<Sample>(7).related(Inverse(\Sample.next))) }
    await #expect(throws: KinshipError.self) { _ = try await cache.find(Ref<Sample>(7)) }
    #expect(cache.count == 0)
    #expect(await cache.audit() == [])
  }

  @Test func `a restore leaves out ids that do not equal themselves`() async throws {
    let cache = try GraphCache(for: Sample.self, store: MemoryStore())
    try await cache.restoring {
      let run = CapturedRun(
        type: TypeNumber(0), values: [Sample(1), Sample(.nan)], ranks: [0, 1],
        ages: [Age(tenths: 0), Age(tenths: 0)])
      _ = await cache.restore([run], after: .zero)
      await cache.restore(missing: IDs([Double.nan, 2], of: TypeNumber(0)))
    }
    #expect(cache.count == 1)
    #expect(await cache.audit() == [])
  }

  @Test func `a memory store leaves out ids that do not equal themselves`() async throws {
    let store = MemoryStore([Sample(.nan), Sample(1)])
    store.insert([Sample(.nan)])
    #expect(store.count(of: Sample.self) == 1)
  }

  /// A hash that changes later: the ids remembered stay bounded, and nothing traps.
  @Test func `ids whose hashes change later stay bounded`() {
    var ids = BoundedIDs<Shifting>(limit: 8)
    for number in 0..<1_000 {
      ids.insert(Shifting(number: number))
      ids.remove(Shifting(number: number))
    }
    #expect(ids.count <= 8)
    var nans = BoundedIDs<Double>(limit: 8)
    for _ in 0..<1_000 { nans.insert(.nan) }
    #expect(nans.count <= 8)
  }
}
