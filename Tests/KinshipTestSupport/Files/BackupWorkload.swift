package import Kinship
internal import KinshipFileStore

/// Commits chosen by a seed, and backups between them, on any file system.
package struct BackupWorkload: Sendable {
  /// An event of the workload.
  package enum Event: UInt8, Sendable {
    /// A commit was acknowledged.
    case committed
    /// A backup of all commits before is begun, or finished.
    case begun, finished
  }

  private let seed: UInt64
  /// The state after each commit, the first one being that of an empty store.
  package let states: [StoredState]

  package init(seed: UInt64, commits: Int) {
    self.seed = seed
    states = FileStoreWorkload(seed: seed, commits: commits).states
  }

  /// Runs everything, in the directories `store` and `backup` of a directory.
  ///
  /// - Throws: Any error of the store.
  package func run(
    in files: any FileSystem, at path: String, _ note: @Sendable (Event) -> Void
  ) async throws {
    let store = try await FileStore.small(in: files, at: path + "/store")
    for commit in 1..<states.count {
      try await store.apply(states[commit - 1].changes(to: states[commit]))
      note(.committed)
      // Some of the records of the next backup were moved to another segment meanwhile.
      if commit % 16 == 12 { try await store.compact() }
      guard commit.isMultiple(of: 4) else { continue }
      note(.begun)
      try await store.backup(to: path + "/backup", in: files)
      note(.finished)
    }
  }
}
