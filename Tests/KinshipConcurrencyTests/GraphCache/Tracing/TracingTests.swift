import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship
@testable import KinshipDiagnostics

/// Tests of a traced cache: what it reports to a tracer, and what it keeps.
struct TracingTests {
  typealias Node = TestNode<Int>

  private let clock = ManualClock()

  private func cache(
    _ store: (any BackingStore)?, _ tracing: Tracing = .on, deadline: Duration? = nil
  ) throws -> GraphCache {
    try GraphCache(
      for: Node.self, store: store, fetching: FetchLimits(deadline: deadline), clock: clock,
      tracing: tracing)
  }

  private func work(_ kind: CacheWork.Kind, in cache: GraphCache) async throws -> CacheReport.Work {
    let work = await cache.report().work.filter { $0.kind == kind }
    #expect(work.count == 1)
    return try #require(work.first)
  }

  @Test func `a trace records the time of store calls`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: MemoryStore([Node(id: 1, value: 1), Node(id: 2, value: 2)]),
      script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
    let cache = try cache(store)
    async let record = cache.resolve([Ref<Node>(1), Ref<Node>(2)])
    try await store.waitForCalls(1)
    #expect(try await work(.fetch, in: cache).underway == 1)
    clock.advance(by: .milliseconds(3))
    gate.open()
    _ = try await record

    let fetch = try await work(.fetch, in: cache)
    #expect(fetch.type == Node.recordName && fetch.records == 2)
    #expect(fetch.underway == 0 && fetch.ended == 1 && fetch.failed == 0)
    #expect(fetch.total == .milliseconds(3) && fetch.longest == .milliseconds(3))
    #expect(fetch.median == .milliseconds(3) && fetch.percentile99 == .milliseconds(3))
    // A waiter waits as long as the call.
    let load = try await work(.load, in: cache)
    #expect(load.total == .milliseconds(3) && load.records == 2)
    let report = await cache.report()
    #expect(report.isTraced && report.elapsed == .milliseconds(3))
    #expect(Set(report.longest.prefix(2).map(\.work.kind)) == [.fetch, .load])
    #expect(report.longest.allSatisfy { !$0.hasFailed && $0.start == .zero })

    // A read from memory is not recorded as work.
    _ = try await cache.resolve(Ref<Node>(1))
    _ = try await cache.graph(of: Ref<Node>(1), .generations(2))
    _ = try await cache.find([Ref<Node>(1), Ref<Node>(2)].graphs(.generations(2)))
    #expect(await cache.report().work.reduce(0) { $0 + $1.ended } == 2)
  }

  @Test func `a trace records failures and cancellations`() async throws {
    struct Refusal: Error {}
    let gate = Gate()
    let store = ScriptedStore(
      over: MemoryStore([Node(id: 1, value: 1)]),
      script: .plain.onCall(0, StoreBehavior(failure: Refusal()))
        .onCall(1, StoreBehavior(pause: .gate(gate))))
    let tracer = WorkTracer()
    let cache = try cache(store, .on(notifying: tracer))
    await #expect(throws: KinshipError.self) { try await cache.resolve(Ref<Node>(1)) }
    var fetch = try await work(.fetch, in: cache)
    #expect(fetch.ended == 1 && fetch.failed == 1 && fetch.cancelled == 0)
    #expect(tracer.ended(.fetch).last?.error is Refusal)

    let late = Task { try await cache.resolve(Ref<Node>(1)) }
    try await store.waitForCalls(2)
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    gate.open()
    let load = try await work(.load, in: cache)
    #expect(load.ended == 2 && load.failed == 1 && load.cancelled == 1)
    try await wait { try await work(.fetch, in: cache).underway == 0 }
    fetch = try await work(.fetch, in: cache)
    #expect(fetch.ended == 2 && fetch.failed == 1)
    #expect(tracer.isAtRest)
  }

  @Test func `a trace records transactions and their waiting time`() async throws {
    let gate = Gate()
    let store = ScriptedStore(
      over: MemoryStore([Node(id: 1, value: 1)]),
      script: .plain.onCall(1, StoreBehavior(pause: .gate(gate))))
    let cache = try cache(store)
    _ = try await cache.resolve(Ref<Node>(1))
    async let first = cache.write { try $0.update(Ref<Node>(1)) { $0.value += 1 } }
    try await store.waitForCalls(2)
    async let second = cache.write { try $0.update(Ref<Node>(1)) { $0.value += 1 } }
    try await wait { try await work(.turn, in: cache).underway > 0 }
    clock.advance(by: .seconds(2))
    gate.open()
    _ = try await (first, second)

    let (turn, write) = (try await work(.turn, in: cache), try await work(.write, in: cache))
    let apply = try await work(.apply, in: cache)
    #expect(turn.ended == 2 && turn.total == .seconds(2))
    #expect(write.ended == 2 && write.total == .seconds(4))
    #expect(apply.ended == 2 && apply.total == .seconds(2) && apply.records == 2)
    #expect(apply.type == Node.recordName)
  }

  /// A tracer's span surrounds the work, in the task of its caller.
  @Test func `a tracer's span surrounds the work`() async throws {
    let tracer = WorkTracer()
    let memory = MemoryStore([Node(id: 1, value: 1, links: [Ref(2)]), Node(id: 2, value: 2)])
    let cache = try cache(LookingStore(memory), .on(notifying: tracer))
    try await WorkTracer.$path.withValue(["screen"]) {
      _ = try await cache.graph(of: Ref<Node>(1), .generations(2))
      _ = try await cache.find(RecordQuery<Node>())
      try await cache.write { try $0.update(Ref<Node>(1)) { $0.value = 7 } }
    }
    let paths = tracer.ended.map { ($0.path + ["\($0.work.kind)"]).joined(separator: "/") }
    #expect(paths.contains("screen/graph"))
    #expect(paths.contains("screen/query"))
    #expect(paths.contains("screen/write/turn"))
    #expect(paths.contains("screen/write/apply"))
    #expect(paths.contains { $0.hasPrefix("screen/") && $0.hasSuffix("/fetch") })
    // The store's work is within the caller's span.
    #expect(LookingStore.seen.withLock { $0 }.contains("screen/write/apply"))
    #expect(tracer.isAtRest)
    #expect(tracer.ended.map(\.work.name).contains("kinship.graph"))
  }

  @Test func `a trace records the cost of observers`() async throws {
    let cache = try cache(nil)
    try await cache.put(Node(id: 1, value: 1))
    var changes = cache.observe(RecordQuery<Node>().sorted(by: \.value).limited(to: 3))
      .makeAsyncIterator()
    var record: Changes<Node?, ListDiff<Node>>.Iterator? = cache.observe(Ref<Node>(1))
      .makeAsyncIterator()
    _ = try await changes.next()
    _ = try await record?.next()
    try await cache.put(Node(id: 1, value: 2))
    _ = try await changes.next()

    var observers = await cache.report().observers
    #expect(observers.count == 2)
    let query = try #require(observers.first { $0.title.hasPrefix("a query") })
    #expect(query.title == "a query, sorted by value; at most 3")
    #expect(query.type == Node.recordName && query.looks >= 1)
    #expect(observers.contains { $0.title == "a record" && $0.looks == 0 })

    record = nil
    observers = await cache.report().observers
    #expect((cache.recorder as? WorkRecorder)?.noted.observers.entries.count == 1)
    #expect(observers.map(\.title) == [query.title])
    // The cost of an ended observer is included in the sum.
    #expect(try await work(.observe, in: cache).ended == observers[0].looks)
  }

  @Test func `a report names the holders of leases`() async throws {
    for tracing in [Tracing.off, .on] {
      let cache = try cache(nil, tracing)
      let line: UInt = #line + 1
      let home = cache.lease([Ref<Node>(1), Ref<Node>(2), Ref<Node>(3)], named: "home")
      let one = cache.lease([Ref<Node>(1)])
      clock.advance(by: .seconds(5))
      let leases = await cache.report().leases
      #expect(leases.map(\.count) == [3, 1] && leases.map(\.name) == ["home", nil])
      #expect(leases.map(\.caller) == [CallSite(#fileID, line), CallSite(#fileID, line + 1)])
      #expect(leases.map(\.age) == [.seconds(5), .seconds(5)])
      home.end()
      one.end()
      #expect(await cache.report().leases.isEmpty)
    }
  }

  @Test func `a trace records snapshots`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "kinship-tracing-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let cache = try cache(nil)
    try await cache.put(Node(id: 1))
    let url = directory.appending(path: "snapshot")
    try await cache.snapshot(to: url)
    try await cache.restore(from: url)
    #expect(try await work(.save, in: cache).records == 1)
    #expect(try await work(.restore, in: cache).ended == 1)
  }

  @Test func `tracing is off unless it is requested`() async throws {
    let cache = try cache(MemoryStore([Node(id: 1, value: 1)]), .off)
    _ = try await cache.resolve(Ref<Node>(1))
    let report = await cache.report()
    #expect(!report.isTraced && report.work.isEmpty && report.longest.isEmpty)
    #expect(report.reads.map(\.misses) == [1])
    #expect("\(report)".contains("1 calls of the store fetched 1 records"))
  }
}

/// Keeps the reported work in order, with the span that surrounds it.
final class WorkTracer: CacheTracer {
  struct Ended: Sendable {
    let work: CacheWork
    let path: [String]
    let error: (any Error)?
  }

  @TaskLocal static var path: [String] = []

  private let state = Lock<(begun: Int, ended: [Ended])>((0, []))

  var ended: [Ended] { state.withLock(\.ended) }
  var isAtRest: Bool { state.withLock { $0.begun == $0.ended.count } }

  func ended(_ kind: CacheWork.Kind) -> [Ended] { ended.filter { $0.work.kind == kind } }

  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let path = Self.path
    state.withLock { $0.begun += 1 }
    do {
      let value = try await Self.$path.withValue(path + ["\(work.kind)"], operation: body)
      state.withLock { $0.ended.append(Ended(work: work, path: path, error: nil)) }
      return value
    } catch {
      state.withLock { $0.ended.append(Ended(work: work, path: path, error: error)) }
      throw error
    }
  }
}

/// Notes the span of each of its calls.
private struct LookingStore: ForwardingStore {
  static let seen = Lock<Set<String>>([])

  let base: any BackingStore
  init(_ base: any BackingStore) { self.base = base }

  func apply(_ changes: ChangeSet) async throws {
    Self.seen.withLock { _ = $0.insert(WorkTracer.path.joined(separator: "/")) }
    try await base.apply(changes)
  }
}
