import KinshipTestSupport

@testable import Kinship
@testable import KinshipTrials

/// A backing store that keeps the versions that memory must show, of transactions and of optimistic
/// writes.
///
/// It relies on a ``Schedule``: between two of its jobs memory shows one version.
final class Chronicle: BackingStore {
  /// The store has committed or refused, and memory follows a little later.
  private struct Transition {
    /// The contents of memory after all changes, including the optimistic writes.
    var world: [Key: Entry]
    let version: UInt64
    /// Whether no other version was shown since.
    var isAlone = true
  }

  private struct State {
    /// The contents of memory as shown.
    var shown: [Key: Entry]
    var transition: Transition?
    /// The refs that the transaction changes that has its turn.
    var turn: Set<AnyRef> = []
    /// The numbers of shown writes, in their order.
    var numbers: [Int: Int] = [:]
    /// The number of the last write that is re-run.
    var lastAnew: Int?
    var committed: [Key: Entry] = [:]
    /// Whether the last version belongs to a transition that will be described in more detail.
    var isOpen = false
    var cache: GraphCache?
    var tally = Tally()
  }

  /// The outcomes of the writes.
  struct Tally: Equatable {
    var made = 0
    var refused = 0
    var shown = 0
    var madeAnew = 0

    static func += (left: inout Tally, right: Tally) {
      left.made += right.made
      left.refused += right.refused
      left.shown += right.shown
      left.madeAnew += right.madeAnew
    }
  }

  let versions: Versions
  private let store: ScriptedStore
  private let state: Lock<State>

  init(_ versions: Versions, faults: StoreFaults, seed: UInt64) {
    self.versions = versions
    store = ScriptedStore(over: versions.memory, script: .random(faults), seed: seed)
    state = Lock(State(shown: versions.latest))
  }

  var tally: Tally { state.withLock(\.tally) }

  func watch(_ cache: GraphCache) { state.withLock { $0.cache = cache } }

  func close() { state.withLock { $0.cache = nil } }

  // MARK: The store

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await store.fetch(type, ids: ids)
  }

  func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await store.referrers(to: targets, by: relationship)
  }

  func apply(_ changes: ChangeSet) async throws {
    do {
      try await store.apply(changes)
      state.withLock { state in
        state.tally.made += 1
        // A value that is shown already does not change when the store commits it.
        if state.turn == Set(changes.refs) { begin(&state) }
        state.turn = []
      }
    } catch {
      state.withLock { state in
        state.tally.refused += 1
        if state.turn != Set(changes.refs) { begin(&state) }
        state.turn = []
      }
      throw error
    }
  }

  private func begin(_ state: inout State) {
    resolve(&state)
    let world = versions.stored
    state.transition = Transition(world: world, version: mapVersion(state))
    state.lastAnew = nil
    state.isOpen = true
    versions.append(world)
  }

  private func resolve(_ state: inout State) {
    guard let transition = state.transition else { return }
    state.shown = transition.world
    state.transition = nil
  }

  private func mapVersion(_ state: borrowing State) -> UInt64 {
    state.cache?.state.withLock { $0.map.version } ?? 0
  }

  // MARK: Writes

  /// Notes the changes of a transaction, at the end of its closure.
  func conclude(_ tx: borrowing GraphCache.Transaction) {
    guard let changes = changes(of: tx) else { return }
    state.withLock { state in
      resolve(&state)
      state.turn = Set(changes.refs)
    }
  }

  /// Notes that an optimistic write, or its re-run, has begun.
  func beginShowing(_ write: Int) {
    state.withLock { state in
      guard let number = state.numbers[write] else { return }
      if let last = state.lastAnew, last < number { return }
      if state.transition == nil && state.lastAnew == nil { return }
      state.lastAnew = number
      state.transition = nil
      state.committed = versions.stored
      show(state.committed, &state)
    }
  }

  /// Notes its changes, at the end of its closure.
  func show(_ write: Int, _ tx: borrowing GraphCache.Transaction) {
    guard let changes = changes(of: tx) else { return }
    state.withLock { state in
      if let number = state.numbers[write] {
        state.tally.madeAnew += 1
        state.lastAnew = number
        state.committed = changes.applied(to: state.committed)
        return show(state.committed, &state)
      }
      if changes.isEmpty { return }
      state.tally.shown += 1
      if let transition = state.transition, transition.isAlone,
        transition.version != mapVersion(state)
      {
        resolve(&state)
      }
      state.numbers[write] = state.numbers.count
      state.shown = changes.applied(to: state.shown)
      state.isOpen = false
      versions.append(state.shown)
      guard let world = state.transition?.world else { return }
      // Memory may have followed without showing it, because it has evicted all the records.
      state.transition?.isAlone = false
      state.transition?.world = changes.applied(to: world)
      versions.append(changes.applied(to: world))
    }
  }

  private func show(_ world: [Key: Entry], _ state: inout State) {
    state.shown = world
    versions.append(world, replacing: state.isOpen)
    state.isOpen = true
  }

  /// The changes of a transaction, or `nil` if it fails or runs again.
  private func changes(of tx: borrowing GraphCache.Transaction) -> ChangeSet? {
    if !tx.missing.isEmpty || tx.failure != nil { return nil }
    let staging = tx.staging
    return tx.cache.assumeIsolated { $0.changes(in: staging) }
  }

  /// Writes past the transactions, if memory and store are equal at this moment.
  func writePast(_ cache: isolated GraphCache, _ body: (isolated GraphCache) throws -> Void) throws
    -> Bool
  {
    let isQuiet = state.withLock { state in
      if cache.statistics.pendingWrites > 0 { return false }
      if cache.turns.count == 0 { resolve(&state) }
      return state.transition == nil
    }
    guard isQuiet else { return false }
    try body(cache)
    state.withLock { state in
      state.shown = versions.latest
      state.isOpen = false
    }
    return true
  }
}

extension Versions {
  /// The contents of the store.
  var stored: [Key: Entry] {
    var world: [Key: Entry] = [:]
    for number in Key.numbers {
      world[Key(.author, number)] = memory[Author<Int>.ref(number)]?.entry
      world[Key(.work, number)] = memory[Work<Int>.ref(number)]?.entry
    }
    return world
  }
}

extension ChangeSet {
  /// Applies the changes to a world.
  func applied(to world: [Key: Entry]) -> [Key: Entry] {
    var world = world
    func apply<R: LibraryRecord>(_ type: R.Type) {
      for record in deleted(type) { world[Key(R.kind, record.ref.number)] = nil }
      for record in inserted(type) { world[Key(R.kind, record.ref.number)] = record.entry }
      for change in updated(type) { world[Key(R.kind, change.ref.number)] = change.new?.entry }
    }
    apply(Author<Int>.self)
    apply(Work<Int>.self)
    return world
  }
}
