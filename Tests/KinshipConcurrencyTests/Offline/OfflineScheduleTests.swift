import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The queue in every order that a schedule can choose: no task waits for ever.
@Suite(.dedicatedThreads, .tags(.lawA4))
struct OfflineScheduleTests {
  private typealias Receipt = FarStore.Receipt

  /// A cache with a queue, over a store with three notes.
  private struct Setting {
    let schedule: Schedule
    let disk = SimulatedDisk()
    let clock = ManualClock()
    let store = FarStore()
    let cache: GraphCache
    let queue: OfflineQueue

    init(_ schedule: Schedule) async throws {
      self.schedule = schedule
      disk.put([], "x", in: "/d")
      store.memory.insert((1...3).map { StoredNote(id: $0, text: "a") })
      let schema = try GraphSchema(StoredNote.self, Receipt.self)
      queue = try await OfflineQueue(
        in: disk, at: "/d", schema: schema, executor: InlineExecutor())
      cache = GraphCache(
        schema: schema, store: store, executor: schedule.executor, clock: clock)
      try await cache.resume(queue)
      _ = try await cache.resolve([1, 2, 3] as [Ref<StoredNote>])
    }

    /// The texts of each write that a program would find if it started at this moment.
    func queuedTexts() async throws -> [[String?]] {
      let queue = try await OfflineQueue(
        in: disk.copy(), at: "/d", schema: cache.schema, executor: InlineExecutor())
      return queue.found.withLock { $0 ?? [] }.map { found in
        found.changes.updated(StoredNote.self).map { $0.new?.text }
      }
    }
  }

  @Test func `every queued write is sent in any order of events`() throws {
    try Schedule.explore(seeds: 200) { schedule in
      var generator = SplitMix64(seed: schedule.seed)
      let commands = (0..<20).map { _ in OfflineCommand.random(using: &generator) }
      for command in commands { schedule.note("\(command)") }
      try await OfflineTrial(schedule).run(commands)
    }
  }

  /// At any time, even while an earlier send is still ending.
  @Test func `pending writes are sent once the store is reachable again`() throws {
    try Schedule.explore(seeds: 500) { schedule in
      let setting = try await Setting(schedule)
      let (cache, store, clock) = (setting.cache, setting.store, setting.clock)
      var generator = SplitMix64(seed: schedule.seed)
      let networks = (0..<6).map { _ in
        FarStore.Network.allCases.randomElement(using: &generator) ?? .up
      }
      async let written = withThrowingTaskGroup { group in
        for writer in 1...2 {
          group.addTask {
            var writes: [GraphCache.PendingWrite] = []
            for number in 1...3 {
              // The records that must be read again may be unreachable.
              let write = try? await cache.writeOptimistically { tx in
                let ref = Ref<StoredNote>(number)
                try tx.insert(Receipt(id: writer * 10 + number))
                try tx.update(ref, \.text, to: "\(tx[ref]?.text ?? "")\(writer)")
              }
              if let write { writes.append(write) }
            }
            return writes
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      async let sent: Void? = try? cache.sendQueuedWrites()
      async let plain: Any? = try? cache.write { tx in try tx.insert(Receipt(id: 1)) }
      for network in networks {
        store.network = network
        await Task.yield()
        clock.advance(by: .seconds(60))
        await cache.invalidate(Ref<StoredNote>(2))
      }
      store.network = .up
      let writes = try await written
      _ = await (sent, plain)
      for _ in 0..<3 {
        await schedule.waitUntilIdle()
        clock.advance(by: .seconds(60))
      }
      await schedule.waitUntilIdle()
      try verifyEqual(cache.statistics.pendingWrites, 0, "what is never sent")
      for write in writes { try await write.outcome() }
      for writer in 1...2 {
        let receipts = store.receipts.filter { $0 / 10 == writer }
        try verifyEqual(receipts, receipts.sorted(), "the order of what the store has made")
        try verifyEqual(receipts.count, Set(receipts).count, "what was made twice")
      }
      try verifyEqual(try await setting.queuedTexts(), [], "what is left in the queue")
    }
  }

  @Test func `the store is retried after one second, then two, up to a minute`() throws {
    try Schedule.explore(seeds: 20) { schedule in
      let setting = try await Setting(schedule)
      let (cache, store, clock) = (setting.cache, setting.store, setting.clock)
      let ref = Ref<StoredNote>(1)
      store.network = .down
      let pending = try await cache.writeOptimistically { tx in
        try tx.update(ref, \.text, to: "b")
      }
      for delay in [1, 2, 4, 8, 16, 32, 60, 60] {
        await schedule.waitUntilIdle()
        let deadline = clock.now.advanced(by: .seconds(delay))
        try verifyEqual(clock.nextDeadline, deadline, "when the store is tried again")
        try verifyEqual(clock.sleeperCount, 1, "how often it is")
        clock.advance(by: .seconds(delay))
      }
      // A call that sends the queue replaces the next timed attempt.
      try? await cache.sendQueuedWrites()
      await schedule.waitUntilIdle()
      try verifyEqual(clock.sleeperCount, 1, "how often the store is tried again")
      try verify(pending.isPending && cache.isPending(ref), "it is not pending")
      try verify(await cache.outage is KinshipError, "the outage")
      try verifyEqual(cache.peek(ref)?.text, "b", "what is shown")
      try verifyEqual(store.memory[ref]?.text, "a", "what the store has")
      store.network = .up
      clock.advance(by: .seconds(60))
      try await pending.outcome()
      await schedule.waitUntilIdle()
      try verifyEqual(store.memory[ref]?.text, "b", "what the store has")
      try verifyEqual(clock.sleeperCount, 0, "who sleeps")
      try verify(await cache.outage == nil, "the outage")
    }
  }

  /// A write is given up while later ones cannot be re-run.
  ///
  /// The file keeps their old form until they can be, and then gets all of them before the next is
  /// sent.
  @Test func `a re-run write is queued before the next is sent`() throws {
    try Schedule.explore(seeds: 50) { schedule in
      let setting = try await Setting(schedule)
      let (cache, store) = (setting.cache, setting.store)
      let refs: [Ref<StoredNote>] = [1, 2, 3]
      store.network = .down
      store.refuse(1)
      try await cache.writeOptimistically { tx in
        try tx.insert(Receipt(id: 1))
        try tx.update(refs[0], \.text, to: "refused")
      }
      for ref in refs[1...] {
        try await cache.writeOptimistically { tx in
          try tx.update(ref, \.text, to: "after \(tx[refs[0]]?.text ?? "nothing")")
        }
      }
      await schedule.waitUntilIdle()
      store.network = .up
      store.whileApplying {
        for ref in refs { await cache.invalidate(ref) }
        store.network = .down
      }
      try? await cache.sendQueuedWrites()
      try verifyEqual(cache.statistics.pendingWrites, 2, "what is pending")
      try verifyEqual(
        try await setting.queuedTexts(), [["after refused"], ["after refused"]], "what is queued")
      store.network = .up
      let found = Lock<[[String?]]>([])
      store.whileApplying {
        let texts = (try? await setting.queuedTexts()) ?? []
        found.withLock { $0 = texts }
      }
      try await cache.sendQueuedWrites()
      try verifyEqual(
        found.withLock { $0 }, [["after a"], ["after a"]], "what is queued when one is sent")
      try verifyEqual(store.memory[refs[2]]?.text, "after a", "what the store has")
    }
  }

  /// A write that the store may have committed stays in the file as it was sent, even if its record
  /// is dropped and other writes are given up.
  @Test func `a write that was sent is not re-run`() throws {
    try Schedule.explore(seeds: 50) { schedule in
      let setting = try await Setting(schedule)
      let (cache, store) = (setting.cache, setting.store)
      let ref = Ref<StoredNote>(1)
      store.network = .answersLost
      let sent = try await cache.writeOptimistically { tx in
        try tx.update(ref, \.text, to: "sent")
      }
      try? await cache.sendQueuedWrites()
      var others: [GraphCache.PendingWrite] = []
      for other in [2, 3] as [Ref<StoredNote>] {
        others.append(
          try await cache.writeOptimistically { tx in
            if tx[other]?.text != "a" { throw CancellationError() }
            try tx.update(other, \.text, to: "given up")
          })
      }
      await cache.invalidate(ref)
      // One is given up because of the put, the other because of the record loaded for its re-run.
      try await cache.put(StoredNote(id: 2, text: "b"))
      await schedule.waitUntilIdle()
      try verifyEqual(others.map(\.isPending), [false, true], "which of the others are pending")
      try verifyEqual(try await setting.queuedTexts(), [["sent"], ["given up"]], "what is queued")
      store.memory.insert([StoredNote(id: 3, text: "b")])
      await cache.invalidate(Ref<StoredNote>(3))
      store.network = .up
      let found = Lock<[[String?]]>([])
      store.whileApplying {
        let texts = (try? await setting.queuedTexts()) ?? []
        found.withLock { $0 = texts }
      }
      try await cache.sendQueuedWrites()
      try verifyEqual(found.withLock { $0 }, [["sent"]], "what is queued when it is sent again")
      let changes = try await sent.outcome()
      try verifyEqual(
        changes.updated(StoredNote.self).map { $0.new?.text }, ["sent"], "what was made")
      try verifyEqual(others.map(\.isPending), [false, false], "which of the others are pending")
    }
  }
}

/// Runs an actor's jobs at once, on the thread that enqueues them, so that a schedule decides the
/// order of all else.
final class InlineExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}
