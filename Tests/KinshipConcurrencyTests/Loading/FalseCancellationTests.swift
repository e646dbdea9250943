import Kinship
import KinshipTestSupport
import Testing

/// A store that throws `CancellationError` without a cancellation has failed.
struct FalseCancellationTests {
  private typealias Node = TestNode<Int>

  private func cache(failing kind: StoreCall.Kind) throws -> GraphCache {
    let memory = MemoryStore((0..<10).map { Node(id: $0, value: $0) })
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        StoreBehavior(failure: call.kind == kind ? CancellationError() : nil)
      })
    return try GraphCache(for: Node.self, store: store)
  }

  private func cause(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch KinshipError.fetchFailed(_, _, let cause), KinshipError.commitFailed(let cause) {
      return cause
    } catch {
      return nil
    }
  }

  @Test func `a fetch that throws CancellationError fails`() async throws {
    let cache = try cache(failing: .fetch)
    #expect(await cause { _ = try await cache.resolve(Ref<Node>(1)) } is CancellationError)
    #expect(
      await cause { _ = try await cache.graph(of: Ref<Node>(1), .generations(1)) }
        is CancellationError)
  }

  @Test func `a query that throws CancellationError fails`() async throws {
    let cache = try cache(failing: .query)
    #expect(await cause { _ = try await cache.find(RecordQuery<Node>()) } is CancellationError)
  }

  @Test func `a search for referrers that throws CancellationError fails`() async throws {
    let cache = try cache(failing: .referrers)
    let failure = await cause { try await cache.write { tx in try tx.delete(Ref<Node>(1)) } }
    #expect(failure is CancellationError)
  }

  @Test func `a transaction whose store throws CancellationError fails`() async throws {
    let cache = try cache(failing: .apply)
    let failure = await cause {
      try await cache.write { tx in try tx.update(Ref<Node>(1), \.value, to: 10) }
    }
    #expect(failure is CancellationError)
    #expect(await cache.audit() == [])
  }

  @Test func `a pending write whose store throws CancellationError fails`() async throws {
    let cache = try cache(failing: .apply)
    let pending = try await cache.writeOptimistically { tx in tx[Ref<Node>(1)]?.value = 10 }
    #expect(await cause { try await pending.outcome() } is CancellationError)
    #expect(try await cache.resolve(Ref<Node>(1)).value == 1)
  }

  /// A caller that cancels gets the `CancellationError` unchanged.
  @Test(arguments: [StoreCall.Kind.fetch, .query, .apply])
  func `a caller's own cancellation stays a CancellationError`(kind: StoreCall.Kind) async throws {
    let memory = MemoryStore((0..<10).map { Node(id: $0, value: $0) })
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, _ in
        StoreBehavior(pause: call.kind == kind ? .cancellation : .none)
      })
    let cache = try GraphCache(for: Node.self, store: store)
    let work = Task {
      switch kind {
      case .fetch: _ = try await cache.resolve(Ref<Node>(1))
      case .query: _ = try await cache.find(RecordQuery<Node>())
      default: try await cache.write { tx in try tx.insert(Node(id: 20)) }
      }
    }
    try await store.waitForCalls(1)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
  }
}
