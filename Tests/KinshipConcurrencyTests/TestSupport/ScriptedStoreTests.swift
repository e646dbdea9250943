import Kinship
import KinshipTestSupport
import Testing

private typealias Node = TestNode<Int>

struct ScriptedStoreTests {
  private let memory = MemoryStore((0..<100).map { Node(id: $0, value: $0) })

  private func store(_ script: StoreScript = .plain, seed: UInt64 = 0) -> ScriptedStore {
    ScriptedStore(over: memory, script: script, seed: seed)
  }

  @Test func `a plain store returns the records that exist`() async throws {
    let records = try await store().fetch(Node.self, ids: [3, 200, 1])
    #expect(records.map(\.id) == [3, 1])
  }

  @Test func `the log records every call`() async throws {
    let store = store(.plain.onCall(1, StoreBehavior(failure: ScriptedFailure(call: 1))))
    _ = try await store.fetch(Node.self, ids: [3, 1])
    await #expect(throws: ScriptedFailure(call: 1)) {
      try await store.fetch(Node.self, ids: [1])
    }
    _ = try await store.fetch(TestPlace.self, ids: [1])
    #expect(
      store.calls.map(\.description) == [
        "0: TestNode<Int>(3) TestNode<Int>(1) -> 2 records",
        "1: TestNode<Int>(1) -> store call 1 failed by script",
        "2: TestPlace(1) -> 0 records",
      ])
    #expect(store.requests(for: Ref<Node>(1)) == 2)
    #expect(store.requests(for: Ref<TestPlace>(1)) == 1)
    #expect(store.requests(for: Ref<Node>(4)) == 0)
    #expect(store.mostInFlight == 1)
    #expect(store.inFlight == 0)
  }

  @Test func `calls wait at a gate`() async throws {
    let gate = Gate()
    let store = store(.always(StoreBehavior(pause: .gate(gate))))
    try await withThrowingTaskGroup { group in
      for id in 0..<5 { group.addTask { try await store.fetch(Node.self, ids: [id]).count } }
      try await store.waitForCalls(5)
      #expect(store.inFlight == 5)
      gate.open()
      for try await count in group { #expect(count == 1) }
    }
    #expect(store.mostInFlight == 5)
    #expect(store.inFlight == 0)
  }

  @Test(arguments: [(StoreBehavior.Reading.beforePause, 1), (.afterPause, 7)])
  func `a write during a call shows according to when the call reads`(
    reading: StoreBehavior.Reading, expected: Int
  ) async throws {
    let gate = Gate()
    let base = store()
    let store = ScriptedStore(
      over: base, script: .always(StoreBehavior(reading: reading, pause: .gate(gate))))
    async let records = store.fetch(Node.self, ids: [1])
    try await gate.waitForWaiters(1)
    memory.insert([Node(id: 1, value: 7)])
    gate.open()
    #expect(try await records.map(\.value) == [expected])
    #expect(base.calls.count == 1)
  }

  @Test func `a wait for calls lasts until they have read`() async throws {
    let gate = Gate()
    let slow = store(.always(StoreBehavior(reading: .afterPause, pause: .yields(20))))
    let store = ScriptedStore(over: slow, script: .always(StoreBehavior(pause: .gate(gate))))
    async let records = store.fetch(Node.self, ids: [1])
    try await store.waitForCalls(1)
    memory.insert([Node(id: 1, value: 7)])
    gate.open()
    #expect(try await records.map(\.value) == [1])
  }

  @Test func `a hanging call ends when it is cancelled`() async throws {
    let store = store(.always(StoreBehavior(pause: .cancellation)))
    let call = Task { try await store.fetch(Node.self, ids: [1]) }
    try await store.waitForCalls(1)
    #expect(store.cancellations == 0)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(store.cancellations == 1)
    #expect(store.inFlight == 0)
  }

  @Test func `a call can ignore its cancellation`() async throws {
    let gate = Gate()
    let store = store(
      .always(
        StoreBehavior(reading: .beforePause, pause: .gateIgnoringCancellation(gate))))
    let call = Task { try await store.fetch(Node.self, ids: [1]) }
    try await gate.waitForWaiters(1)
    call.cancel()
    #expect(store.cancellations == 1)
    #expect(store.inFlight == 1)
    gate.open()
    #expect(try await call.value.count == 1)
  }

  @Test func `answers are distorted as the script says`() async throws {
    let ids = Array(0..<20)
    func answer(_ behavior: StoreBehavior) async throws -> [Int] {
      let store = store(.plain.onCall(1, behavior))
      _ = try await store.fetch(Node.self, ids: Array(50..<60))
      return try await store.fetch(Node.self, ids: ids).map(\.id)
    }
    let shuffled = try await answer(StoreBehavior(isShuffled: true))
    #expect(shuffled != ids)
    #expect(shuffled.sorted() == ids)
    let fewer = try await answer(StoreBehavior(omitted: 3))
    #expect(fewer.count == 17)
    #expect(fewer == fewer.sorted())
    #expect(try await answer(StoreBehavior(omitted: 30)).isEmpty)
    let repeated = try await answer(StoreBehavior(duplicated: 4))
    #expect(repeated.count == 24)
    #expect(Set(repeated) == Set(ids))
    let more = try await answer(StoreBehavior(unrequested: 2))
    #expect(more.count == 22)
    #expect(Set(more).subtracting(ids).isSubset(of: 50..<60))
  }

  @Test func `the seed decides random faults`() async throws {
    let faults = StoreFaults(failure: 0.3, omission: 0.2, duplication: 0.2, intrusion: 0.2)
    func transcript(seed: UInt64) async throws -> [[Int]?] {
      let store = store(.random(faults), seed: seed)
      var answers: [[Int]?] = []
      for first in 0..<60 {
        do {
          answers.append(try await store.fetch(Node.self, ids: [first, first + 1]).map(\.id))
        } catch is ScriptedFailure {
          answers.append(nil)
        }
      }
      return answers
    }
    let answers = try await transcript(seed: 5)
    #expect(try await transcript(seed: 5) == answers)
    #expect(try await transcript(seed: 6) != answers)
    #expect(answers.contains(nil))
    #expect(answers.contains { $0?.count == 1 })
    #expect(answers.contains { answer in answer.map { Set($0).count < $0.count } ?? false })
  }

  @Test func `a random store still answers correctly`() throws {
    let memory = memory
    try Schedule.explore(seeds: 100) { schedule in
      let store = ScriptedStore(over: memory, script: .random(), seed: 1)
      try await withThrowingTaskGroup { group in
        for first in [0, 10, 20] {
          group.addTask { try await store.fetch(Node.self, ids: Array(first..<first + 10)) }
        }
        var ids: [Int] = []
        for try await records in group { ids += records.map(\.id) }
        try verifyEqual(ids.sorted(), Array(0..<30), "what was answered")
      }
    }
  }

  @Test func `a store can continue with another script`() async throws {
    let store = store(.always(StoreBehavior(failure: ScriptedFailure(call: 0))))
    await #expect(throws: ScriptedFailure.self) { try await store.fetch(Node.self, ids: [1]) }
    store.follow(.plain)
    #expect(try await store.fetch(Node.self, ids: [1]).count == 1)
    #expect(store.calls.map(\.number) == [0, 1])
  }

  @Test func `a condition chooses the calls that fail`() async throws {
    let failure = StoreBehavior(failure: ScriptedFailure())
    let store = store(.plain.onCalls(where: { $0.refs.contains(AnyRef(Ref<Node>(2))) }, failure))
    #expect(try await store.fetch(Node.self, ids: [1, 3]).count == 2)
    await #expect(throws: ScriptedFailure()) { try await store.fetch(Node.self, ids: [1, 2]) }
    #expect(store.recordsFetched == 2)
    #expect(store.isRefusal(ScriptedFailure()))
    #expect("\(ScriptedFailure())" == "store call failed by script")
  }

  @Test func `every call of the base store is recorded, and can be altered`() async throws {
    let store = store(.always(StoreBehavior(omitted: 1, added: [Node(id: 500, value: 1)])))
    let query = RecordQuery<Node>().sorted(by: \.id).limited(to: 3)
    #expect(try await store.fetch(query).map(\.id).suffix(1) == [500])
    #expect(try await store.refs(query).count == 2)
    #expect(try await store.count(query) == 2)
    #expect(try await store.count(query, groupedBy: \.value) == [0: 1, 1: 1, 2: 1])
    #expect(try await store.reserveIDs(Node.self, count: 2).count >= 1)
    #expect(store.calls.map(\.kind) == [.query, .query, .count, .count, .reserveIDs])
    #expect(store.recordsFetched == 3)
    let filtered = RecordQuery<Node>(RecordFilter { $0.value > 3 })
    #expect("\(store.support(for: filtered))" == "\(memory.support(for: filtered))")
  }

  @Test func `a lost connection is an outage, and no refusal`() async throws {
    let store = store(.always(StoreBehavior(losing: .after)))
    let changes = ChangeSet(inserting: [Node(id: 500, value: 1)])
    await #expect(throws: ScriptedStore.LostConnection.self) { try await store.apply(changes) }
    #expect(memory[Ref<Node>(500)] != nil)
    #expect(store.isOutage(ScriptedStore.LostConnection()))
    #expect(!store.isRefusal(ScriptedStore.LostConnection()))
    #expect(
      store.isRefusal(KinshipError.misuse(.readOnlyStore(""))) && !store.isOutage(ScriptedFailure())
    )
  }
}
