import KinshipTestSupport
import Testing

@testable import Kinship

/// The decisions of the loader, without a task or a store.
struct LoaderTests {
  private typealias Node = TestNode<Int>

  /// A loader with its map.
  private final class System {
    var map: IdentityMap
    var loader: Loader

    init(batchSize: Int = .max, concurrentBatches: Int = 4) throws {
      let schema = try GraphSchema(Node.self, TestPlace.self)
      map = IdentityMap(
        operations: schema.operations.map(\.table),
        limits: Limits(count: 100, cost: .max), isAuthoritative: false)
      loader = Loader(
        schema: schema,
        limits: FetchLimits(batchSize: batchSize, concurrentBatches: concurrentBatches))
    }

    /// Claims ids, as long as the system lives.
    func claim(_ ids: [Int], type: Int = 0) -> Claims {
      map.claim(IDs(ids, of: TypeNumber(type)))
    }

    func settle(_ ids: [Int]) -> Loader.Outcome {
      let type = TypeNumber(0)
      return loader.releaseWaiters(IDs(ids, of: type), of: type, &map)
    }

    func restart(_ ids: [Int]) -> Loader.Outcome {
      let type = TypeNumber(0)
      return loader.restart(IDs(ids, of: type), of: type, &map)
    }

    func hold(_ ids: [Int]) -> Loader.Outcome {
      loader.blockLoads(IDs(ids, of: TypeNumber(0)), &map)
    }

    /// Lets held ids be requested again.
    func release() {
      for ids in loader.unblockAllLoads(&map).flatMap({ $0() }) { loader.unblockLoads(ids, &map) }
    }

    func request(_ ids: [Int]) -> Loader.WaiterID {
      let waiter = loader.nextWaiter()
      _ = loader.request([claim(ids)], for: waiter, &map)
      return waiter
    }

    /// The next batch, which must exist.
    func next() throws -> Loader.Batch {
      let batch = loader.nextBatch(map)
      return try #require(batch)
    }

    func holds(_ id: Int) -> Bool { map.contains(id, as: Node.self) }

    func isMissing(_ id: Int) -> Bool { map.isMissing(id, as: Node.self) }

    func put(_ node: Node) {
      if let table = map.table(Node.self) { map.put(node, in: table) }
    }

    func isWaiting(for ids: [Int]) -> Bool {
      loader.request([claim(ids)], for: loader.nextWaiter(), &map)
    }

    var audit: [String] { loader.audit(map) }

    func complete(_ batch: Loader.Batch, omitting omitted: Set<Int> = []) -> Loader.Outcome {
      let ids = batch.ids.of(Node.self)
      let records = ids.filter { !omitted.contains($0) }.map { Node(id: $0) }
      do throws(KinshipError) {
        let answer = try BatchAnswer(
          records, to: batch.ids, of: Node.self, map.operations[batch.ids.type])
        return loader.complete(batch.id, with: answer, &map)
      } catch {
        return loader.complete(
          batch.id, with: BatchAnswer(failing: batch.ids, of: Node.self, error), &map)
      }
    }
  }

  @Test func `one batch serves all waiters for an id`() throws {
    let system = try System()
    let first = system.request([1, 2])
    let second = system.request([2, 3])
    let batch = try system.next()
    #expect(batch.ids.of(Node.self) == [1, 2, 3])
    #expect(system.loader.nextBatch(system.map) == nil)
    let outcome = system.complete(batch, omitting: [3])
    #expect(Set(outcome.ready) == [first, second])
    #expect(system.holds(1))
    #expect(system.isMissing(3))
    #expect(system.loader.isIdle)
    #expect(system.loader.tally.coalescedWaits == 1)
    #expect(system.loader.tally.loaded == 2)
    #expect(system.loader.tally.missing == 1)
  }

  @Test func `a record in memory needs no waiting`() throws {
    let system = try System()
    system.put(Node(id: 1))
    #expect(!system.isWaiting(for: [1, 1]))
    #expect(system.loader.isIdle)
  }

  @Test func `a waiter is ready when its last batch has arrived`() throws {
    let system = try System(batchSize: 2, concurrentBatches: 2)
    let waiter = system.request([1, 2, 3, 3, 4, 5])
    let first = try system.next()
    let second = try system.next()
    #expect(system.loader.nextBatch(system.map) == nil)
    #expect(system.complete(second).ready.isEmpty)
    let third = try system.next()
    #expect(third.ids.of(Node.self) == [5])
    #expect(system.complete(first).ready.isEmpty)
    #expect(system.complete(third).ready == [waiter])
    #expect(system.audit == [])
  }

  @Test func `a write settles an in-flight load`() throws {
    let system = try System()
    let waiter = system.request([1])
    let batch = try system.next()
    let outcome = system.settle([1])
    #expect(outcome.ready == [waiter])
    #expect(outcome.abandoned == [batch.id])
    // The batch's answer is too old.
    #expect(system.complete(batch).isEmpty)
    #expect(!system.holds(1))
    #expect(system.loader.isIdle)
  }

  @Test func `an invalidation requests in-flight ids again`() throws {
    let system = try System()
    let waiter = system.request([1, 2])
    let batch = try system.next()
    #expect(system.restart([1]).isEmpty)
    let again = try system.next()
    #expect(again.ids.of(Node.self) == [1])
    #expect(system.complete(batch).ready.isEmpty)
    #expect(!system.holds(1))
    #expect(system.complete(again).ready == [waiter])
    #expect(system.holds(1))
  }

  @Test func `a batch is abandoned with its last waiter`() throws {
    let system = try System()
    let first = system.request([1, 2])
    let batch = try system.next()
    let second = system.request([2])
    #expect(system.loader.leave(first, &system.map).abandoned.isEmpty)
    #expect(system.loader.leave(first, &system.map).wasWaiting == false)
    #expect(system.loader.leave(second, &system.map).abandoned == [batch.id])
    #expect(system.loader.flightCount == 1)
    // A new caller asks again.
    let third = system.request([1])
    let again = try system.next()
    #expect(system.complete(batch).isEmpty)
    #expect(system.complete(again).ready == [third])
    #expect(system.loader.isIdle)
  }

  @Test func `invalidating everything requests all in-flight ids again`() throws {
    let system = try System()
    let waiter = system.request([1, 2, 3])
    let batch = try system.next()
    #expect(system.loader.restartAll(&system.map).abandoned == [batch.id])
    let again = try system.next()
    #expect(Set(again.ids.of(Node.self)) == [1, 2, 3])
    #expect(system.complete(again).ready == [waiter])
    #expect(system.complete(batch).isEmpty)
  }

  @Test func `a failure reaches every waiter of the batch`() throws {
    let system = try System(batchSize: 2)
    let first = system.request([1, 2, 3])
    let second = system.request([3])
    let batch = try system.next()
    let other = try system.next()
    let answer = BatchAnswer(failing: batch.ids, of: Node.self, cause: ScriptedFailure(call: 0))
    let outcome = system.loader.complete(batch.id, with: answer, &system.map)
    #expect(outcome.failed.map(\.waiter) == [first])
    #expect(outcome.abandoned.isEmpty)
    #expect(system.complete(other).ready == [second])
    #expect(system.loader.isIdle)
    #expect(system.audit == [])
  }

  /// The loader has one batch at a time, so the other ids wait in the backlog.
  @Test func `an id in the backlog is not requested while it is barred`() throws {
    let system = try System(batchSize: 2, concurrentBatches: 1)
    let first = system.request([1, 2])
    let second = system.request([3, 4])
    let third = system.request([5, 6])
    let batch = try system.next()
    #expect(system.hold([3, 4, 5, 9]).isEmpty)
    // An id that is barred twice leaves the backlog only once.
    #expect(system.hold([5, 3]).isEmpty)
    #expect(system.loader.backlogCount == 1)
    #expect(system.audit == [])
    #expect(system.complete(batch).ready == [first])
    let free = try system.next()
    #expect(free.ids.of(Node.self) == [6])
    #expect(system.complete(free).ready.isEmpty)
    #expect(system.loader.nextBatch(system.map) == nil)
    // A record that becomes known meanwhile need not be requested.
    #expect(system.settle([3]).ready.isEmpty)
    #expect(system.audit == [])
    system.release()
    #expect(system.loader.backlogCount == 2)
    #expect(system.audit == [])
    let rest = try system.next()
    #expect(Set(rest.ids.of(Node.self)) == [4, 5])
    #expect(Set(system.complete(rest).ready) == [second, third])
    #expect(system.loader.isIdle)
    #expect(system.audit == [])
  }

  /// A held id that is not requested adds no cost to a miss.
  @Test func `only requested ids take memory in the loader`() throws {
    let system = try System()
    _ = system.claim(Array(0..<10_000))
    for id in [9_999, 5_000, 9_998] {
      _ = system.request([id])
      #expect(system.loader.requestEntryCount == 1)
      #expect(system.complete(try system.next()).ready.count == 1)
      #expect(system.loader.requestEntryCount == 0)
      #expect(system.audit == [])
    }
  }

  @Test func `request entries are used again`() throws {
    let system = try System(batchSize: 1, concurrentBatches: 2)
    _ = system.request([0])
    let first = try system.next()
    for id in 1...100 {
      _ = system.request([id])
      _ = system.complete(try system.next())
      #expect(system.loader.requestEntryCount <= 2)
      #expect(system.audit == [])
    }
    _ = system.complete(first)
    #expect(system.loader.isIdle)
    #expect(system.audit == [])
  }

  @Test func `types take turns in batches`() throws {
    let system = try System(batchSize: 1, concurrentBatches: 10)
    let claims = [system.claim([1, 2, 3]), system.claim([1, 2], type: 1)]
    _ = system.loader.request(claims, for: system.loader.nextWaiter(), &system.map)
    var types: [Int] = []
    while let batch = system.loader.nextBatch(system.map) { types.append(batch.ids.type.index) }
    #expect(types == [0, 1, 0, 1, 0])
  }
}
