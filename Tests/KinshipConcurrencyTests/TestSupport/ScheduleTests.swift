import Dispatch
import Foundation
import KinshipTestSupport
import Testing

/// An actor with a race planted: it reads, waits, and writes what it read plus one.
private actor RacyCounter {
  private(set) var value = 0

  func increment() async {
    let read = value
    await Task.yield()
    value = read + 1
  }
}

private func countTwice(_ schedule: Schedule) async -> Int {
  let counter = RacyCounter()
  await withTaskGroup { group in
    for name in ["a", "b"] {
      group.addTask {
        schedule.note("\(name) begins")
        await counter.increment()
        schedule.note("\(name) ends")
      }
    }
  }
  return await counter.value
}

/// Opens a gate from another thread, and returns when it is open.
private func openFromAnotherThread(_ gate: Gate) {
  let isOpen = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    gate.open()
    isOpen.signal()
  }
  isOpen.wait()
}

struct ScheduleTests {
  @Test func `schedules show both outcomes of a race`() throws {
    let outcomes = try (0..<100).map { try Schedule.run(seed: $0, countTwice) }
    #expect(Set(outcomes) == [1, 2])
  }

  @Test func `every seed replays identically`() throws {
    var traces: Set<ScheduleTrace> = []
    for seed in 0..<200 as Range<UInt64> {
      let first = Schedule.record(seed: seed, countTwice)
      let second = Schedule.record(seed: seed, countTwice)
      #expect(first.trace == second.trace)
      #expect(try first.result.get() == second.result.get())
      traces.insert(first.trace)
    }
    #expect(traces.count > 20)
  }

  @Test func `an exploration reports the seed of a race`() throws {
    let effort = try Effort(environment: [:])
    let failure = try #require(
      #expect(throws: ScheduleFailure.self) {
        try Schedule.explore(seeds: 100, effort: effort) { schedule in
          try verifyEqual(await countTwice(schedule), 2, "the count")
        }
      })
    #expect(failure.cause is Mismatch)
    #expect(try Schedule.run(seed: failure.seed, countTwice) == 1)
    #expect(failure.trace.notes.sorted() == ["a begins", "a ends", "b begins", "b ends"])
    #expect(failure.description.hasSuffix("Replay: KINSHIP_SEED=\(failure.seed)"))

    let replay = try Effort(environment: ["KINSHIP_SEED": "\(failure.seed)"])
    let again = #expect(throws: ScheduleFailure.self) {
      try Schedule.explore(effort: replay) { schedule in
        try verifyEqual(await countTwice(schedule), 2, "the count")
      }
    }
    #expect(again?.trace == failure.trace)
  }

  @Test func `a race among many operations shrinks to two`() throws {
    enum Operation: Command, Equatable { case increment, look }
    let failure = try #require(
      #expect(throws: PropertyFailure<Operation>.self) {
        try Property.check(
          seeds: 5, steps: 20, effort: Effort(environment: [:]),
          generate: { $0.chance(0.5) ? Operation.increment : .look },
          run: { operations, seed in
            // Fewer operations conflict in fewer schedules, so each list gets several.
            for index in 0..<20 as Range<UInt64> {
              let counter = RacyCounter()
              try Schedule.run(seed: SplitMix64.subseed(index, of: seed)) { _ in
                await withTaskGroup { group in
                  for operation in operations {
                    group.addTask {
                      switch operation {
                      case .increment: await counter.increment()
                      case .look: _ = await counter.value
                      }
                    }
                  }
                }
                try verifyEqual(
                  await counter.value, operations.count { $0 == .increment }, "the count")
              }
            }
          })
      })
    #expect(failure.commands == [.increment, .increment])
  }

  @Test func `all orders of three tasks occur`() throws {
    var orders: Set<[String]> = []
    for seed in 0..<200 as Range<UInt64> {
      let recording = Schedule.record(seed: seed) { schedule in
        await withTaskGroup { group in
          for name in ["a", "b", "c"] { group.addTask { schedule.note(name) } }
        }
      }
      orders.insert(recording.trace.notes)
    }
    #expect(orders.count == 6)
  }

  @Test func `waiting until idle lets all other tasks run`() throws {
    for seed in 0..<50 as Range<UInt64> {
      let recording = Schedule.record(seed: seed) { schedule in
        let gate = Gate()
        try await withThrowingTaskGroup { group in
          for _ in 0..<3 {
            group.addTask {
              for _ in 0..<5 { await Task.yield() }
              try await gate.wait()
            }
          }
          await schedule.waitUntilIdle()
          try verifyEqual(gate.waiterCount, 3, "the count of waiters")
          gate.open()
          try await group.waitForAll()
        }
      }
      #expect(throws: Never.self) { try recording.result.get() }
    }
  }

  @Test func `a deadlock is an error`() throws {
    let wasCancelled = Gate()
    #expect(throws: ScheduleError.stalled) {
      try Schedule.run(seed: 1) { _ in
        let never = Gate()
        await withTaskCancellationHandler {
          await never.waitIgnoringCancellation()
        } onCancel: {
          wasCancelled.open()
        }
      }
    }
    #expect(wasCancelled.isOpen)
  }

  @Test func `a stalled body is released by cancellation`() throws {
    let tracker = LifetimeTracker()
    let recording = Schedule.record(seed: 1) { _ in
      let held = tracker.track(1)
      try await Gate().wait()
      _ = held
    }
    #expect(throws: (any Error).self) { try recording.result.get() }
    #expect(tracker.liveCount == 0)
  }

  @Test func `an endless body is an error`() throws {
    #expect(throws: ScheduleError.endless(limit: 500)) {
      try Schedule.run(seed: 1, limit: 500) { _ in
        while true { await Task.yield() }
      }
    }
  }

  @Test func `a body that ends beside an endless task is an error`() throws {
    #expect(throws: ScheduleError.endless(limit: 500)) {
      try Schedule.run(seed: 1, limit: 500) { schedule in
        Task(executorPreference: schedule.executor) {
          while true { await Task.yield() }
        }
        return
      }
    }
  }

  @Test func `waiting for a task outside the schedule is an error`() throws {
    let never = Gate()
    #expect(throws: ScheduleError.stalled) {
      try Schedule.run(seed: 1) { _ in
        await Task { await never.waitIgnoringCancellation() }.value
      }
    }
    never.open()
  }

  @Test func `a job from another thread is an error`() throws {
    #expect(throws: ScheduleError.escaped) {
      try Schedule.run(seed: 1) { schedule in
        let gate = Gate()
        async let passed: Void = gate.wait()
        await schedule.waitUntilIdle()
        openFromAnotherThread(gate)
        try await passed
      }
    }
  }

  @Test func `a schedule rethrows the body's error`() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try Schedule.run(seed: 1) { _ in
        await Task.yield()
        throw Refusal()
      }
    }
  }

  @Test func `tasks left running by the body run to their end`() throws {
    let ended = Gate()
    try Schedule.run(seed: 1) { schedule in
      Task(executorPreference: schedule.executor) {
        for _ in 0..<10 { await Task.yield() }
        ended.open()
      }
      return
    }
    #expect(ended.isOpen)
  }

  @Test func `jobs enqueued after the end still run`() async throws {
    let late = Gate()
    let ended = Gate()
    try Schedule.run(seed: 1) { schedule in
      Task(executorPreference: schedule.executor) {
        await late.waitIgnoringCancellation()
        ended.open()
      }
      return
    }
    #expect(!ended.isOpen)
    late.open()
    try await ended.wait()
  }

  @Test func `schedules run inside a task`() async throws {
    let inside = try await Task { try Schedule.run(seed: 3, countTwice) }.value
    await Task.yield()
    #expect(try Schedule.run(seed: 3, countTwice) == inside)
  }

  @Test func `a trace lists choices between notes`() {
    let recording = Schedule.record(seed: 1) { schedule in
      schedule.note("begun")
      await Task.yield()
    }
    #expect(recording.trace.description.hasPrefix("  0/1\n- begun\n  0/1"))
  }
}
