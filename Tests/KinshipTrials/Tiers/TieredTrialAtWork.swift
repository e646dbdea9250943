import Foundation
import KinshipTesting
import KinshipTestSupport

@testable import Kinship
@testable import KinshipTiers

/// Several readers and writers use a store of two tiers at once, and both tiers are slow and fail.
///
/// At the end each copy equals the far store's record, because no other program has written.
package enum TieredTrialAtWork {
  private enum Step: Command {
    case fetch([Int])
    case find(group: Int)
    case put(Int, value: Int)
    case delete(Int)

    static func random(using generator: inout SplitMix64) -> Step {
      func number() -> Int { Int.random(in: 0..<4, using: &generator) }
      return switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        .fetch(Set((0..<Int.random(in: 1...3, using: &generator)).map { _ in number() }).sorted())
      case 4: .find(group: number() % 2)
      case 5..<9: .put(number(), value: Int(generator.next() >> 8))
      default: .delete(number())
      }
    }
  }

  /// Reads and writes, in schedules that are replayable.
  ///
  /// - Parameters:
  ///   - nearFails: Whether calls of the near store fail.
  ///   - seeds: How many lists of steps.
  /// - Returns: How many steps were made.
  /// - Throws: `PropertyFailure` with the smallest list of steps that fails.
  @discardableResult
  package static func check(nearFails: Bool, seeds: Int) throws -> Int {
    var count = 0
    try Property.check(seeds: seeds, steps: 16, generate: Step.random) { steps, seed in
      try Schedule.run(seed: seed, limit: 1_000_000) { schedule in
        try await run(steps, nearFails: nearFails, schedule)
      }
      count += steps.count
    }
    return count
  }

  private static func run(_ steps: [Step], nearFails: Bool, _ schedule: Schedule) async throws {
    let memory = MemoryStore((0..<3).map { TieredNote($0, group: $0 % 2, value: $0) })
    let copies = MemoryStore()
    let far = ScriptedStore(
      over: memory, script: .random(StoreFaults(failure: 0.1, loss: 0.1)), seed: schedule.seed)
    let near = ScriptedStore(
      over: copies,
      script: .random(StoreFaults(failure: nearFails ? 0.2 : 0, loss: nearFails ? 0.1 : 0)),
      seed: schedule.seed)
    let schema = try GraphSchema(TieredNote.self)
    let store = TieredStore(
      near: near, far: far, schema: schema, policy: TierPolicy(freshness: .seconds(60), count: 5),
      executor: schedule.executor
    ) { .seconds(1) }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for number in steps.indices where number % 4 == part {
            // An operation may fail. Its effect is checked at the end.
            try? await perform(steps[number], store, memory)
          }
        }
      }
    }
    await schedule.waitUntilIdle()
    try await verify(store, copies, memory)
    if nearFails { return }
    // The program starts again.
    let again = TieredStore(
      near: copies, far: memory, schema: schema, executor: schedule.executor
    ) { .seconds(2) }
    _ = try await again.fetch(TieredNote.self, ids: [99])
    try await verify(again, copies, memory)
  }

  private static func perform(
    _ step: Step, _ store: TieredStore, _ memory: MemoryStore
  ) async throws {
    switch step {
    case .fetch(let numbers): _ = try await store.fetch(TieredNote.self, ids: numbers)
    case .find(let group):
      _ = try await store.fetch(RecordQuery<TieredNote>(#Predicate { $0.group == group }))
    case .put(let number, let value):
      let new = TieredNote(number, group: value % 2, value: value)
      if let old = memory[new.ref] {
        let change = UpdatedRecord(new.ref, old: old, new: new, properties: nil)
        try await store.apply(ChangeSet(updating: [change]))
      } else {
        try await store.apply(ChangeSet(inserting: [new]))
      }
    case .delete(let number):
      guard let old = memory[Ref<TieredNote>(number)] else { return }
      try await store.apply(ChangeSet(deleting: [old]))
    }
  }

  /// Verifies that each counted copy exists, and equals the far store's record.
  private static func verify(
    _ store: TieredStore, _ copies: MemoryStore, _ memory: MemoryStore
  ) async throws {
    let known = store.near.state.withLock { $0.table(TieredNote.self).copies }
    for id in known.keys {
      guard let copy = copies[Ref<TieredNote>(id)] else { continue }
      try verifyEqual(copy, memory[copy.ref], "what is near of \(id)")
    }
    let answers = store.near.state.withLock { $0.table(TierAnswer<TieredNote>.self).copies }
    let all = try await memory.fetch(RecordQuery<TieredNote>())
    for words in answers.keys {
      guard let answer = copies[Ref<TierAnswer<TieredNote>>(words)] else { continue }
      for group in 0..<2 where words.contains("equal \(group)") {
        let lacking = all.filter { $0.group == group && !answer.ids.contains($0.id) }
        try verifyEqual(lacking, [], "what a kept answer lacks")
      }
    }
    try KinshipTesting.verify(known.count + answers.count <= 5, "too much is near")
  }
}
