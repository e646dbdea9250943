import KinshipTestSupport
import Testing

/// A register that does its compare-and-swap in two steps if it is broken.
private actor SharedRegister {
  private var register = Register()
  private let isBroken: Bool

  init(isBroken: Bool) {
    self.isBroken = isBroken
  }

  func perform(_ operation: Register.Operation) async -> Int {
    guard isBroken, case .swap(let old, let new) = operation else {
      await Task.yield()
      return register.apply(operation)
    }
    let before = register.value
    await Task.yield()
    if before == old { register.value = new }
    return before
  }
}

struct LinearizabilityTests {
  @Test func `every linearizable history is accepted`() throws {
    for seed in try Effort().seeds(500) {
      var generator = SplitMix64(seed: seed)
      let history = linearizableHistory(clients: 4, operations: 5, using: &generator)
      let order = try #require(history.linearization(from: Register()), "seed \(seed)")
      #expect(order.sorted() == Array(0..<20))
      var register = Register()
      for index in order {
        let entry = history.entries[index]
        #expect(register.apply(entry.operation) == entry.returned?.response)
      }
    }
  }

  @Test func `the checker agrees with trying every order`() throws {
    var accepted = 0
    let seeds = try Effort().seeds(2_000)
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      var history = linearizableHistory(clients: 3, operations: 2, using: &generator)
      for _ in 0..<2 {
        let index = Int.random(in: 0..<6, using: &generator)
        let entry = history.entries[index]
        let response = Int.random(in: 0..<3, using: &generator)
        history.entries[index] = .init(
          entry.operation, invoked: entry.invoked,
          returned: generator.chance(0.3) ? nil : entry.returned.map { ($0.time, response) })
      }
      let isLinearizable = history.linearization(from: Register()) != nil
      #expect(isLinearizable == hasLinearization(history), "seed \(seed)\n\(history)")
      accepted += isLinearizable ? 1 : 0
    }
    if seeds.count >= 100 {
      // Otherwise the comparison would show little.
      #expect(accepted > seeds.count / 10)
      #expect(accepted < seeds.count * 9 / 10)
    }
  }

  @Test func `a stale read is rejected`() {
    let history = RegisterHistory([
      .init(.write(1), invoked: 0, returned: (1, 0)),
      .init(.read, invoked: 2, returned: (3, 0)),
    ])
    #expect(history.linearization(from: Register()) == nil)
  }

  @Test func `overlapping operations may take effect in either order`() {
    for response in [0, 1] {
      let history = RegisterHistory([
        .init(.write(1), invoked: 0, returned: (3, 0)),
        .init(.read, invoked: 1, returned: (2, response)),
      ])
      #expect(history.linearization(from: Register()) == (response == 0 ? [1, 0] : [0, 1]))
    }
  }

  @Test func `an operation that never returned may have taken effect or not`() throws {
    for response in [0, 1] {
      let history = RegisterHistory([
        .init(.write(1), invoked: 0, returned: nil),
        .init(.read, invoked: 1, returned: (2, response)),
      ])
      #expect(history.linearization(from: Register()) != nil)
    }
    let tooEarly = RegisterHistory([
      .init(.read, invoked: 0, returned: (1, 1)),
      .init(.write(1), invoked: 2, returned: nil),
    ])
    #expect(tooEarly.linearization(from: Register()) == nil)
  }

  @Test func `a linearizable register passes under every schedule`() throws {
    try Schedule.explore(seeds: 300) { schedule in
      try await callFromManyClients(SharedRegister(isBroken: false), schedule)
    }
  }

  @Test func `a broken register is rejected`() throws {
    let effort = try Effort(environment: [:])
    let failure = try #require(
      #expect(throws: ScheduleFailure.self) {
        try Schedule.explore(seeds: 300, effort: effort) { schedule in
          try await callFromManyClients(SharedRegister(isBroken: true), schedule)
        }
      })
    let mismatch = try #require(failure.cause as? Mismatch)
    #expect(mismatch.description.contains("No order of these operations explains their answers"))
    #expect(mismatch.description.contains("swap("))
  }

  @Test func `a history is drawn over time`() {
    let history = RegisterHistory([
      .init(.write(1), invoked: 0, returned: (3, 0)),
      .init(.read, invoked: 1, returned: (2, 1)),
      .init(.write(2), invoked: 4, returned: nil),
    ])
    #expect(
      history.description == """
        |--|   write(1) -> 0
         ||    read -> 1
            |> write(2) -> ?
        """)
  }

  @Test func `an operation that throws has no answer`() async throws {
    let recorder = HistoryRecorder<Register.Operation, Int>()
    await #expect(throws: CancellationError.self) {
      try await recorder.record(.write(1)) { throw CancellationError() }
    }
    let answer = await recorder.record(.read) { 1 }
    #expect(answer == 1)
    #expect(recorder.history.entries.map(\.invoked) == [0, 1])
    #expect(recorder.history.entries.map { $0.returned?.response } == [nil, 1])
    try recorder.history.verifyLinearizable(from: Register())
  }
}

private func callFromManyClients(_ register: SharedRegister, _ schedule: Schedule) async throws {
  let recorder = HistoryRecorder<Register.Operation, Int>()
  await withTaskGroup { group in
    for client in 0..<3 as Range<UInt64> {
      group.addTask {
        var generator = SplitMix64(seed: client)
        for _ in 0..<4 {
          let operation = Register.Operation.random(using: &generator)
          _ = await recorder.record(operation) { await register.perform(operation) }
        }
      }
    }
  }
  try recorder.history.verifyLinearizable(from: Register())
}
