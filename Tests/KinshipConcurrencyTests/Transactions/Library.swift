@testable import Kinship
@testable import KinshipTrials
import KinshipTestSupport

/// A cache over a scripted store of authors and works, or without a store, and its observable
/// state.
struct Library: Sendable {
  enum Placement: CaseIterable, Sendable {
    /// Everything is in memory, and there is no store.
    case memory
    /// All in the store.
    case store
    /// Everything is in the store, and half of it in memory too.
    case half
    /// All in both.
    case both
  }

  /// The state that a failure must leave as it was.
  struct State: Equatable {
    var stored: [Key: Entry]
    var inMemory: [Key: Entry]
    var coldest: [AnyRef]
    var statistics: GraphCache.Statistics
    var calls: Int
  }

  let base: MemoryStore
  let store: ScriptedStore?
  let cache: GraphCache
  let log = RemovalLog<Int>()
  private let subscription: GraphCache.RemovalSubscription

  init(
    _ world: [Key: Entry], _ placement: Placement, script: StoreScript = .plain, seed: UInt64 = 0,
    capacity: Int = .max, executor: (any TaskExecutor)? = nil
  ) async throws {
    base = Versions(world).memory
    let store = placement == .memory ? nil : ScriptedStore(over: base, seed: seed)
    self.store = store
    cache = try GraphCache(
      for: Author<Int>.self, Work<Int>.self, store: store, capacity: capacity, executor: executor)
    let log = log
    subscription = cache.onRemoval { log.hear($0) }
    for (key, entry) in world.sorted(by: { $0.key < $1.key }) {
      switch placement {
      case .memory: try await put(key, entry)
      case .store: break
      case .half: if key.number % 2 == 0 { try await find(key) }
      case .both: try await find(key)
      }
    }
    store?.follow(script)
  }

  private func put(_ key: Key, _ entry: Entry) async throws {
    switch key.kind {
    case .author: try await cache.put(Author<Int>(key.number, entry))
    case .work: try await cache.put(Work<Int>(key.number, entry))
    }
  }

  func find(_ key: Key) async throws {
    switch key.kind {
    case .author: _ = try await cache.find(Author<Int>.ref(key.number))
    case .work: _ = try await cache.find(Work<Int>.ref(key.number))
    }
  }

  /// Runs a transaction with steps.
  @discardableResult
  func write(_ steps: some Sequence<TransactionStep> & Sendable) async throws -> ChangeSet {
    try await cache.write { tx in
      try steps.perform(in: &tx)
    }
  }

  /// The contents of the store.
  var stored: [Key: Entry] {
    entries {
      base[Author<Int>.ref($0)]
    } works: {
      base[Work<Int>.ref($0)]
    }
  }

  /// All records: those of the store, or of memory if there is none.
  var world: [Key: Entry] { store == nil ? inMemory : stored }

  /// The contents of memory.
  var inMemory: [Key: Entry] {
    entries {
      cache.peek(Author<Int>.ref($0))
    } works: {
      cache.peek(Work<Int>.ref($0))
    }
  }

  private func entries(
    authors: (Int) -> Author<Int>?, works: (Int) -> Work<Int>?
  ) -> [Key: Entry] {
    var entries: [Key: Entry] = [:]
    for number in Key.numbers {
      entries[Key(.author, number)] = authors(number)?.entry
      entries[Key(.work, number)] = works(number)?.entry
    }
    return entries
  }

  var state: State {
    get async {
      State(
        stored: stored, inMemory: inMemory, coldest: await cache.coldest(.max),
        statistics: cache.statistics, calls: store?.calls.count ?? 0)
    }
  }
}
