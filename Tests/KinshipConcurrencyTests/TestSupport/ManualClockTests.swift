import KinshipTestSupport
import Testing

struct ManualClockTests {
  @Test func `a manual clock's time passes only when advanced`() {
    let clock = ManualClock()
    let begin = clock.now
    clock.advance(by: .seconds(2))
    clock.advance(by: .milliseconds(500))
    #expect(begin.duration(to: clock.now) == .milliseconds(2_500))
  }

  @Test func `sleepers wake in the order of their deadlines`() throws {
    let order = Schedule.record(seed: 1) { schedule in
      let clock = ManualClock()
      try await withThrowingTaskGroup { group in
        for seconds in [3, 1, 2, 5] {
          group.addTask {
            try await clock.sleep(for: .seconds(seconds))
            schedule.note("\(seconds)")
          }
        }
        try await clock.waitForSleepers(4)
        while let next = clock.nextDeadline {
          clock.advance(by: clock.now.duration(to: next))
          try await group.next()
        }
      }
      return clock.now.offset
    }
    #expect(order.trace.notes == ["1", "2", "3", "5"])
    #expect(try order.result.get() == .seconds(5))
  }

  @Test func `a sleep until a past deadline returns at once`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: clock.now)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `one advance wakes all sleepers that are due`() async throws {
    let clock = ManualClock()
    try await withThrowingTaskGroup { group in
      for seconds in 1...4 { group.addTask { try await clock.sleep(for: .seconds(seconds)) } }
      try await clock.waitForSleepers(4)
      clock.advance(by: .seconds(3))
      #expect(clock.sleeperCount == 1)
      #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(4)))
      clock.advance(by: .seconds(1))
      try await group.waitForAll()
    }
  }

  @Test func `a cancelled sleeper returns at once`() async throws {
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }
}
