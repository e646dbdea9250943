import KinshipTestSupport
import Testing

@testable import Kinship

/// The queue of turns beside an array.
struct TurnQueueTests {
  @Test func `turns are taken and given up in any order`() async throws {
    for seed in try Effort().seeds(50) {
      var generator = SplitMix64(seed: seed)
      let turns = TurnQueue()
      var line: [TurnQueue.Ticket] = []
      for _ in 0..<60 {
        if generator.chance(0.5) || line.isEmpty {
          line.append(turns.reserve())
        } else {
          let ticket = line.remove(at: Int.random(in: line.indices, using: &generator))
          turns.pass(ticket)
          // A task that has given up its turn has nothing more to give up.
          turns.pass(ticket)
        }
        try verifyEqual(turns.count, line.count, "how many are in line")
        for ticket in line {
          try verifyEqual(turns.hasTurn(ticket), ticket == line.first, "whether one has the turn")
        }
        // The first need not wait.
        if let first = line.first { try await turns.wait(for: first) }
      }
    }
  }

  @Test func `a turn begins when all before it have ended`() async throws {
    let turns = TurnQueue()
    let held = try await turns.waitForTurn()
    let tickets = (0..<3).map { _ in turns.reserve() }
    let last = Task { try await turns.wait(for: tickets[2]) }
    turns.pass(tickets[1])
    turns.pass(tickets[0])
    #expect(turns.count == 2)
    turns.pass(held)
    try await last.value
    turns.pass(tickets[2])
    #expect(turns.count == 0)
    turns.pass(try await turns.waitForTurn())
  }

  @Test func `a cancelled waiter leaves the queue`() async throws {
    let turns = TurnQueue()
    let held = try await turns.waitForTurn()
    let waiting = (0..<100).map { _ in Task { try await turns.waitForTurn() } }
    try await wait { turns.count >= 101 }
    for task in waiting.reversed() {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(turns.count == 1)
    turns.pass(held)
    #expect(turns.count == 0)
  }

  /// A cache without a store could run a transaction at once.
  ///
  /// It waits all the same for the turns before it.
  @Test func `a transaction waits for the turns before it`() throws {
    try Schedule.explore(seeds: 10) { schedule in
      let cache = try GraphCache(for: TestNode<Int>.self, executor: schedule.executor)
      let ref = Ref<TestNode<Int>>(1)
      let turn = try await cache.takeTurn()
      let writing = Task(executorPreference: schedule.executor) {
        try await cache.write { tx in try tx.insert(TestNode(id: 1, value: 1)) }
      }
      await schedule.waitUntilIdle()
      try verifyEqual(cache.peek(ref), nil, "what is written while somebody else has the turn")
      await cache.passTurn(turn)
      try verifyEqual(try await writing.value.count, 1, "the changes")
      try verifyEqual(cache.peek(ref)?.value, 1, "what is written then")
      try verifyEqual(cache.turns.count, 0, "places in the line")
    }
  }
}
