package import Kinship
package import KinshipFileStore

/// Commits, rotation, compaction and restarts chosen by a seed, on any file system.
package struct FileStoreWorkload: Sendable {
  private let seed: UInt64
  private let durability: FileStore.Durability
  /// The state after each commit, the first one being that of an empty store.
  package let states: [StoredState]

  /// The known events of the workload.
  package enum Event: Hashable, Sendable {
    /// A commit was acknowledged: its number, from 1 on.
    case acknowledged(Int)
    /// A loss of power cannot lose this commit any longer.
    case synced(Int)
  }

  /// Chooses a workload.
  package init(seed: UInt64, commits: Int, durability: FileStore.Durability = .everyCommit) {
    self.seed = seed
    self.durability = durability
    var states = [StoredState()]
    for commit in 0..<commits {
      states.append(states[commit].changed(seed: SplitMix64.subseed(UInt64(commit), of: seed)))
    }
    self.states = states
  }

  /// Runs everything.
  ///
  /// At last the store is compacted, and closed.
  ///
  /// - Parameters:
  ///   - files: The file system of the store.
  ///   - path: The path of its directory.
  ///   - note: Receives each event.
  /// - Throws: Any error of the store.
  package func run(
    in files: any FileSystem, at path: String = "/store", _ note: @Sendable (Event) -> Void
  ) async throws {
    var generator = SplitMix64(seed: seed)
    var store = try await FileStore.small(in: files, at: path, durability: durability)
    for commit in 1..<states.count {
      try await store.apply(states[commit - 1].changes(to: states[commit]))
      note(.acknowledged(commit))
      if durability == .everyCommit { note(.synced(commit)) }
      switch Int.random(in: 0..<24, using: &generator) {
      case 0:
        try await store.close()
        note(.synced(commit))
        store = try await FileStore.small(in: files, at: path, durability: durability)
      case 1:
        try await store.synchronize()
        note(.synced(commit))
      case 2: try await store.compact()
      default: break
      }
    }
    try await store.compact()
    try await store.close()
    note(.synced(states.count - 1))
  }
}
