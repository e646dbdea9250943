import KinshipTestSupport

@testable import Kinship

/// Clients that move money between accounts, plainly and optimistically, and undo moves, over a
/// store that is slow, refuses, and loses its connection before or after a commit.
///
/// Each written value depends on the values read. Each read names the transaction that wrote its
/// value.
final class SerialTrial: Sendable {
  struct Account: GraphRecord, Equatable {
    let id: Int
    var balance = 100
    var writer = 0
  }

  /// How a client writes.
  enum Kind: CaseIterable { case plain, optimistic, takenBack, readOnly }

  /// The other commands of the clients.
  struct Conditions {
    var failure = 0.0
    var invalidates = false
    var puts = false
  }

  static let count = 8

  private let memory = MemoryStore((0..<SerialTrial.count).map { Account(id: $0) })
  private let cache: GraphCache
  private let seed: UInt64
  private let conditions: Conditions
  private let lastNumber = Lock(0)
  /// The reads and writes of each transaction's last run, whatever its outcome.
  private let runs = Lock<[Int: TransactionHistory<Int>.Entry]>([:])
  /// The committed transactions, and those of unknown outcome.
  private let made = Lock<Set<Int>>([])
  private let doubtful = Lock<Set<Int>>([])

  init(_ schedule: Schedule, _ conditions: Conditions) throws {
    seed = schedule.seed
    self.conditions = conditions
    let store = ScriptedStore(
      over: memory,
      script: StoreScript { call, generator in
        var behavior = StoreBehavior(
          reading: Bool.random(using: &generator) ? .beforePause : .afterPause,
          pause: .yields(Int.random(in: 0...3, using: &generator)))
        guard generator.chance(conditions.failure) else { return behavior }
        if call.kind != .apply || generator.chance(0.4) {
          behavior.failure = ScriptedFailure(call: call.number)
        } else {
          behavior.losing = Bool.random(using: &generator) ? .before : .after
        }
        return behavior
      }, seed: schedule.seed)
    cache = try GraphCache(
      for: Account.self, store: store, capacity: [0, 2, 5, .max][Int(seed % 4)],
      executor: schedule.executor)
  }

  func run(client: Int) async throws {
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(client), of: seed))
    var last: ChangeSet?
    var pending: [(Int, GraphCache.PendingWrite)] = []
    for _ in 0..<8 {
      let keys = Array((0..<Self.count).shuffled(using: &generator).prefix(3))
      let ref = Ref<Account>(keys[0])
      switch Int.random(in: 0..<12, using: &generator) {
      case 0..<3: last = await write(keys, takingBack: nil, &generator) ?? last
      case 3..<6: await show(keys, &generator).map { pending.append($0) }
      case 6: if let changes = last { _ = await write(keys, takingBack: changes, &generator) }
      case 7: await look(at: keys)
      case 8: await cache.evict(ref)
      case 9 where conditions.invalidates: await cache.invalidate(ref)
      case 10 where conditions.puts: await putTruth(of: ref)
      case 11: for (number, write) in pending { await settle(number) { try await write.outcome() } }
      default: await Task.yield()
      }
      try verifyEqual(await cache.audit(), [], "the audit")
    }
    for (number, write) in pending { await settle(number) { try await write.outcome() } }
  }

  // MARK: Transactions

  private func next() -> Int {
    lastNumber.withLock { last in
      last += 1
      return last
    }
  }

  /// Reads all accounts, and notes their values if all exist.
  private func read(_ keys: [Int], in tx: inout GraphCache.Transaction) -> [Account]? {
    let accounts = keys.map { tx[Ref<Account>($0)] }
    return accounts.contains(nil) ? nil : accounts.compactMap(\.self)
  }

  private func note(_ number: Int, _ accounts: [Account], writes: Set<Int>) {
    let reads = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.writer) })
    runs.withLock { $0[number] = .init(reads: reads, writes: writes) }
  }

  /// Moves from the first account to the second, by an amount that depends on the third.
  private func move(
    _ keys: [Int], byProperty: Bool, _ number: Int, in tx: inout GraphCache.Transaction
  ) throws {
    guard let accounts = read(keys, in: &tx) else { return }
    let amount = accounts[2].balance % 7 + 1
    for (account, amount) in [(accounts[0], -amount), (accounts[1], amount)] {
      if byProperty {
        try tx.update(
          account.ref, .set(\.balance, to: account.balance + amount), .set(\.writer, to: number))
      } else {
        try tx.update(account.ref) {
          $0.balance += amount
          $0.writer = number
        }
      }
    }
    note(number, accounts, writes: Set(keys.prefix(2)))
  }

  private func write(
    _ keys: [Int], takingBack changes: ChangeSet?, _ generator: inout SplitMix64
  ) async -> ChangeSet? {
    let number = next()
    let byProperty = Bool.random(using: &generator)
    return await settle(number) {
      try await self.cache.write { tx in
        guard let changes else {
          return try self.move(keys, byProperty: byProperty, number, in: &tx)
        }
        let keys = changes.updated(Account.self).map(\.ref.id)
        guard let accounts = self.read(keys, in: &tx) else { return }
        try tx.apply(changes.inverted)
        for key in keys { try tx.update(Ref<Account>(key), \.writer, to: number) }
        self.note(number, accounts, writes: Set(keys))
      }
    }
  }

  private func show(
    _ keys: [Int], _ generator: inout SplitMix64
  ) async -> (Int, GraphCache.PendingWrite)? {
    let number = next()
    let byProperty = Bool.random(using: &generator)
    let write = try? await cache.writeOptimistically { tx in
      try self.move(keys, byProperty: byProperty, number, in: &tx)
    }
    return write.map { (number, $0) }
  }

  private func look(at keys: [Int]) async {
    let number = next()
    await settle(number) {
      try await self.cache.write { tx in
        if let accounts = self.read(keys, in: &tx) { self.note(number, accounts, writes: []) }
      }
    }
  }

  @discardableResult
  private func settle(
    _ number: Int, _ body: () async throws -> ChangeSet
  ) async -> ChangeSet? {
    do {
      let changes = try await body()
      made.withLock { _ = $0.insert(number) }
      return changes
    } catch KinshipError.commitFailed(let cause) where cause is ScriptedStore.LostConnection {
      doubtful.withLock { _ = $0.insert(number) }
    } catch {}
    return nil
  }

  /// Puts the store's present value.
  private func putTruth(of ref: Ref<Account>) async {
    await cache.perform { cache in
      if let account = memory[ref] { try? cache.put(account) }
    }
  }

  // MARK: Checking

  func verify() async throws {
    let stored = (0..<Self.count).compactMap { memory[Ref<Account>($0)] }
    try verifyEqual(stored.reduce(0) { $0 + $1.balance }, 100 * Self.count, "the sum in the store")
    for account in stored {
      if let shown = cache.peek(account.ref) {
        try verifyEqual(shown, account, "account \(account.id) in memory")
      }
      let found = await found(account.ref)
      try verifyEqual(found, account, "account \(account.id), asked for,")
    }
    let runs = runs.withLock { $0 }
    var history = TransactionHistory<Int>()
    for number in made.withLock({ $0 }) { history.entries[number] = runs[number] }
    // A value that was read was committed.
    var seen = Set(stored.map(\.writer))
    while true {
      for entry in history.entries.values { seen.formUnion(entry.reads.values) }
      let added = seen.subtracting(history.entries.keys).subtracting([0])
      if added.isEmpty { break }
      for number in added {
        try verify(doubtful.withLock { $0.contains(number) }, "\(number) is seen and was not made")
        history.entries[number] = runs[number]
      }
    }
    try history.verify()
    let statistics = cache.statistics
    try verifyEqual(statistics.pendingWrites, 0, "pending writes")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(cache.turns.count, 0, "turns")
    try verifyEqual(await cache.audit(), [], "the audit")
  }

  private func found(_ ref: Ref<Account>) async -> Account? {
    while true {
      do { return try await cache.find(ref) } catch {}
    }
  }

  private func verify(_ condition: Bool, _ text: String) throws {
    if !condition { throw Mismatch(text) }
  }
}
