import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Many cycles on one cache: no waiter, lease or task accumulates.
struct TransactionSoakTests {
  @Test(arguments: Library.Placement.allCases)
  func `writes, failures and cancellations leave nothing behind`(placement: Library.Placement)
    throws
  {
    let rounds = try Effort().operations(120)
    try Schedule.run(seed: 1, limit: .max) { schedule in
      let library = try await Library(
        LongTransaction.world, placement, seed: 1, executor: schedule.executor)
      let stack = UndoStack(library.cache, limit: 10)
      var generator = SplitMix64(seed: 1)
      for round in 0..<rounds {
        let failure = [0, 0.3, 0][round % 3]
        library.store?.follow(.random(StoreFaults(failure: failure, hanging: failure / 3)))
        let tasks = (0..<3).map { number in
          let steps = UndoCommand.steps(using: &generator)
          return Task(executorPreference: schedule.executor) {
            switch number {
            case 0: try await library.write(steps)
            case 1: try await stack.write { tx in try steps.perform(in: &tx) }
            default: try await stack.undo() ?? ChangeSet()
            }
          }
        }
        for _ in 0..<Int.random(in: 0...40, using: &generator) { await Task.yield() }
        // Hanging tasks are always cancelled, and others sometimes.
        if failure > 0 || round % 2 == 0 { for task in tasks { task.cancel() } }
        for task in tasks { _ = await task.result }
        if round % 5 == 0 { await library.cache.trim(to: placement == .memory ? .max : 2) }
        await schedule.waitUntilIdle()
        try await library.verify(library.world)
        try await library.verifyIdle()
      }
      try verify(await stack.undoCount <= 10, "more can be undone than wanted")
    }
  }
}
