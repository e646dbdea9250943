@testable import Kinship
@testable import KinshipTrials
import KinshipTestSupport

/// Clients that call anything, with a store that is slow, may fail, and may call the cache.
final class ChaosTrial: Sendable {
  let library: Library
  private let seed: UInt64
  /// The keys that were written only to memory.
  private let diverged = Lock<Set<Key>>([])

  init(_ schedule: Schedule, failure: Double) async throws {
    seed = schedule.seed
    var generator = SplitMix64(seed: seed)
    var world: [Key: Entry] = [:]
    for key in Key.all where generator.chance(0.7) { world[key] = .random(using: &generator) }
    let script = StoreScript.random(
      StoreFaults(failure: failure, falseCancellation: failure / 3, loss: failure))
    library = try await Library(
      world, [.store, .half, .both][Int(seed % 3)], script: script, seed: seed,
      capacity: [0, 1, 4, .max][Int(seed / 3 % 4)], executor: schedule.executor)
    if seed % 5 == 0 {
      library.store?.follow(
        StoreScript { [cache = library.cache] call, generator in
          let calls = generator.chance(0.2)
          return StoreBehavior(
            reading: generator.chance(0.5) ? .beforePause : .afterPause,
            pause: .yields(Int.random(in: 0..<4, using: &generator)),
            action: { if calls { await Self.callCache(cache, within: call) } })
        })
    }
  }

  /// A call of the store to its own cache: some of these would wait for themselves.
  private static func callCache(_ cache: GraphCache, within call: StoreCall) async {
    let ref = Author<Int>.ref(call.number / 4 % 5)
    switch call.number % 4 {
    case 0: _ = try? await cache.find(ref)
    case 1: _ = try? await cache.graph(of: ref, .generations(2))
    case 2: _ = try? await cache.write { tx in try tx.update(ref) { $0.value += 1 } }
    default:
      _ = try? await cache.writeOptimistically { tx in try tx.update(ref) { $0.value += 1 } }
        .outcome()
    }
  }

  func run(client: Int) async throws {
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(client), of: seed))
    let mayDiverge = seed % 2 == 0
    for _ in 0..<6 {
      let key = Key.all.randomElement(using: &generator) ?? Key(.author, 0)
      let ref = Author<Int>.ref(key.number)
      let entry = Entry.random(using: &generator)
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<5: await attempt { _ = try await library.write(steps(using: &generator)) }
      case 5: await cancelWrite(steps(using: &generator), &generator)
      case 6, 7: await attempt { try await library.find(key) }
      case 8: await attempt { _ = try await library.cache.graph(of: ref, .generations(2)) }
      case 9: await library.cache.evict(ref)
      case 10: await library.cache.invalidate(ref)
      case 11: await library.cache.invalidate(Work<Int>.ref(key.number))
      case 12 where mayDiverge:
        diverged.withLock { _ = $0.insert(Key(.author, key.number)) }
        try await library.cache.put(Author<Int>(key.number, entry))
      case 13 where mayDiverge:
        diverged.withLock { _ = $0.insert(Key(.author, key.number)) }
        await library.cache.remove(ref)
      case 14, 15: await changeElsewhere(key, Bool.random(using: &generator) ? entry : nil)
      default: await library.cache.trim(to: key.number)
      }
      try verifyEqual(await library.cache.audit(), [], "the audit")
    }
  }

  /// Another program changes the store, and the cache is notified later.
  private func changeElsewhere(_ key: Key, _ entry: Entry?) async {
    switch (key.kind, entry) {
    case (.author, let entry?): library.base.insert([Author<Int>(key.number, entry)])
    case (.author, nil): library.base.remove(Author<Int>.ref(key.number))
    case (.work, let entry?): library.base.insert([Work<Int>(key.number, entry)])
    case (.work, nil): library.base.remove(Work<Int>.ref(key.number))
    }
    await Task.yield()
    switch key.kind {
    case .author: await library.cache.invalidate(Author<Int>.ref(key.number))
    case .work: await library.cache.invalidate(Work<Int>.ref(key.number))
    }
  }

  private func steps(using generator: inout SplitMix64) -> [TransactionStep] {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in .random(using: &generator) }
  }

  /// Ignores the possible errors: a record is missing or exists, or the store fails.
  private func attempt(_ body: () async throws -> Void) async {
    do { try await body() } catch {}
  }

  private func cancelWrite(
    _ steps: [TransactionStep], _ generator: inout SplitMix64
  ) async {
    let library = library
    let writing = Task(executorPreference: library.cache.executor) {
      try await library.write(steps)
    }
    for _ in 0..<Int.random(in: 0...30, using: &generator) { await Task.yield() }
    writing.cancel()
    _ = await writing.result
  }

  func verify() async throws {
    library.store?.follow(.plain)
    let (stored, inMemory) = (library.stored, library.inMemory)
    let diverged = diverged.withLock { $0 }
    for key in Key.all where !diverged.contains(key) {
      if let entry = inMemory[key] { try verifyEqual(entry, stored[key], "\(key) in memory") }
      if library.isMissing(key) { try verifyEqual(nil, stored[key], "\(key), known missing,") }
    }
    try await library.verifyIdle()
  }
}
