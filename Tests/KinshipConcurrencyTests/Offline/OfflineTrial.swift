import KinshipTestSupport
import Testing

@testable import Kinship

enum OfflineCommand: Command {
  /// Extends a note, or inserts it. The change set depends on the value read.
  case write(Int, Int, isRefused: Bool)
  case delete(Int)
  case plain(Int)
  /// The records that pending writes have read must be loaded again.
  case drop(Int)
  case network(FarStore.Network)
  case send
  case passTime
  case restart

  static func random(using generator: inout SplitMix64) -> OfflineCommand {
    func note() -> Int { Int.random(in: 0..<4, using: &generator) }
    return switch Int.random(in: 0..<20, using: &generator) {
    case 0..<9:
      .write(
        note(), Int.random(in: 1...9, using: &generator), isRefused: generator.chance(0.2))
    case 9: .delete(note())
    case 10, 11: .plain(note())
    case 12: .drop(note())
    case 13..<16: .network(FarStore.Network.allCases.randomElement(using: &generator) ?? .up)
    case 16, 17: .send
    case 18: .passTime
    default: .restart
    }
  }
}

/// A program that writes notes to a store that is not always reachable, and that is killed at
/// random.
///
/// Each write inserts a receipt. The model has the state of each write, pending, rejected or
/// committed, and the order of the queue.
final class OfflineTrial {
  typealias Receipt = FarStore.Receipt

  private let disk: SimulatedDisk
  private let store = FarStore()
  private let clock = ManualClock()
  private let schema: GraphSchema
  private let schedule: Schedule?
  private var queue: OfflineQueue
  private var cache: GraphCache
  /// The queued writes that are not known to be settled.
  private var pending: [(number: Int, write: GraphCache.PendingWrite)] = []
  private var refused: Set<Int> = []
  /// The known causes.
  private var causes: [String] = []
  private var accepted: [Int] = []
  private var number = 0

  /// Creates a trial, with the order of a schedule if there is one.
  init(_ schedule: Schedule? = nil) async throws {
    self.schedule = schedule
    disk = SimulatedDisk()
    disk.put([], "x", in: "/d")
    schema = try GraphSchema(StoredNote.self, Receipt.self)
    queue = try await Self.openQueue(on: disk, schema, schedule)
    cache = GraphCache(schema: schema, store: store, executor: schedule?.executor, clock: clock)
    try await cache.resume(queue)
  }

  private static func openQueue(
    on disk: SimulatedDisk, _ schema: GraphSchema, _ schedule: Schedule?
  ) async throws -> OfflineQueue {
    guard schedule != nil else { return try await OfflineQueue(in: disk, at: "/d", schema: schema) }
    return try await OfflineQueue(in: disk, at: "/d", schema: schema, executor: InlineExecutor())
  }

  func run(_ commands: [OfflineCommand]) async throws {
    for command in commands {
      try await run(command)
      try await verifyState()
    }
    store.network = .up
    try await cache.sendQueuedWrites()
    try await verifyEnd()
  }

  private func run(_ command: OfflineCommand) async throws {
    switch command {
    case .write(let id, let amount, let isRefused):
      number += 1
      if isRefused { store.refuse(number) }
      await queue { [number] tx in
        try tx.insert(Receipt(id: number))
        if let note = tx[Ref<StoredNote>(id)] {
          tx[Ref<StoredNote>(id)]?.text = note.text + "\(amount)"
        } else {
          try tx.insert(StoredNote(id: id, text: "\(amount)"))
        }
      }
    case .delete(let id):
      number += 1
      await queue { [number] tx in
        try tx.insert(Receipt(id: number))
        try tx.delete(Ref<StoredNote>(id))
      }
    case .plain(let id):
      number += 1
      let network = store.network
      do {
        try await cache.write { [number] tx in
          try tx.insert(Receipt(id: number))
          tx[Ref<StoredNote>(id)] = StoredNote(id: id, text: "p\(number)")
        }
        accepted.append(number)
        try verify(network == .up, "a transaction was made offline")
      } catch {
        try verify(network != .up, "a transaction failed online: \(error)")
        // Its answer may have been lost, and no one retries it.
        if store.receipts.contains(number) { accepted.append(number) }
      }
    case .drop(let id): await cache.invalidate(Ref<StoredNote>(id))
    case .network(let network): store.network = network
    case .send: try? await cache.sendQueuedWrites()
    case .passTime: clock.advance(by: .seconds(60))
    case .restart: try await restart()
    }
  }

  private func queue(
    _ body: @escaping @Sendable (inout GraphCache.Transaction) throws -> Void
  ) async {
    // During an outage it may need a record that cannot be loaded. Then it is not queued.
    guard let write = try? await cache.writeOptimistically(body: body) else { return }
    accepted.append(number)
    pending.append((number, write))
  }

  /// Kills the program.
  private func restart() async throws {
    try await takeOutcomes()
    let expected = pending.map(\.number)
    await queue.close()
    queue = try await Self.openQueue(on: disk, schema, schedule)
    try verify(queue.cut == nil, "the file was cut")
    cache = GraphCache(schema: schema, store: store, executor: schedule?.executor, clock: clock)
    let restored = try await cache.resume(queue).map { restored in
      (number: restored.changes.inserted(Receipt.self)[0].id, write: restored.write)
    }
    let found = restored.map(\.number)
    // The outcome at the store was not reported to any caller.
    let lost = expected.filter { !found.contains($0) }
    for number in lost where !store.receipts.contains(number) {
      refused.insert(number)
      causes.append("\(number) had left the queue")
    }
    try verifyEqual(found, expected.filter { found.contains($0) }, "the order of what was queued")
    try verify(found.allSatisfy { expected.contains($0) }, "\(found) came back of \(expected)")
    pending = restored
  }

  /// Notes the outcomes of the pending writes.
  private func takeOutcomes() async throws {
    // Others may be settled during these calls.
    let settled = pending.filter { !$0.write.isPending }
    for (number, write) in settled {
      do {
        try await write.outcome()
        try verify(store.receipts.contains(number), "write \(number) is said to be made")
      } catch {
        refused.insert(number)
        causes.append("\(number): \(error)")
      }
    }
    pending.removeAll { pending in settled.contains { $0.number == pending.number } }
  }

  private func verifyState() async throws {
    try await takeOutcomes()
    try verifyEqual(await cache.audit(), [], "the audit")
    let receipts = store.receipts
    try verifyEqual(receipts, receipts.sorted(), "the order of what the store has made")
    try verifyEqual(receipts.count, Set(receipts).count, "what was made twice")
    try verify(refused.isDisjoint(with: receipts), "what is said to be refused was made")
    // The writes that the cache still has. Others are leaving the queue, and are settled later.
    let hidden = await cache.perform { [pending] cache in
      pending.filter { pending in
        cache.pending.contains { $0.write === pending.write }
          && cache.peek(Ref<Receipt>(pending.number)) == nil
      }
    }
    try verifyEqual(hidden.map(\.number), [], "what is pending and not shown")
  }

  private func verifyEnd() async throws {
    try await takeOutcomes()
    try verifyEqual(pending.map(\.number), [], "pending")
    try verifyEqual(cache.statistics.pendingWrites, 0, "pending writes")
    try verifyEqual(cache.statistics.leases, 0, "leases")
    try verifyEqual(
      store.receipts, accepted.filter { !refused.contains($0) },
      "what was queued and not refused, where \(causes)")
    for number in accepted {
      let isThere = try await cache.find(Ref<Receipt>(number)) != nil
      try verifyEqual(isThere, !refused.contains(number), "receipt \(number) in the cache")
    }
    for id in 0..<4 {
      let ref = Ref<StoredNote>(id)
      try verifyEqual(try await cache.find(ref), store.memory[ref], "note \(id)")
    }
    try verifyEqual(await cache.audit(), [], "the audit")
    await queue.close()
    let again = try await Self.openQueue(on: disk, schema, schedule)
    try verifyEqual(again.found.withLock { $0 }?.count, 0, "what is left in the queue")
  }
}
