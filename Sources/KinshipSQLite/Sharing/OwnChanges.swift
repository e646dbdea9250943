#if SQLite
  internal import Kinship

  /// The rows of the log that the store's own latest commits have written.
  struct OwnChanges: Sendable {
    private static let most = 256

    /// The commits, in the order of their rows.
    private var commits: [(rows: ClosedRange<Int64>, commit: CommitID)] = []

    /// - Parameters:
    ///   - start: The last row before a commit.
    ///   - end: The last row after it.
    ///   - commit: The commit.
    mutating func add(after start: Int64, upTo end: Int64, by commit: CommitID) {
      guard start < end else { return }
      // Entries with later rows belong to an earlier log.
      commits.removeAll { $0.rows.upperBound > start }
      if commits.count == Self.most { commits.removeFirst() }
      commits.append((start + 1...end, commit))
    }

    /// Drops a commit that failed.
    mutating func remove(_ commit: CommitID) { commits.removeAll { $0.commit == commit } }

    /// Returns the commit that wrote a row; `nil` for the commits of others.
    func commit(of number: Int64) -> CommitID? {
      var (low, high) = (0, commits.count)
      while low < high {
        let middle = (low + high) / 2
        if commits[middle].rows.upperBound < number { low = middle + 1 } else { high = middle }
      }
      return low < commits.count && commits[low].rows.contains(number) ? commits[low].commit : nil
    }
  }

  /// The store's own latest commits, for when no log records them.
  struct UnloggedChanges: Sendable {
    private static let most = (changes: 256, refs: 65_536)

    private var changes: [StoreChange] = []
    private var refCount = 0
    /// The number of commits that have been dropped.
    private var forgotten = 0

    /// The number of all commits so far.
    var count: Int { forgotten + changes.count }

    mutating func add(_ refs: [AnyRef], by commit: CommitID?) {
      changes.append(StoreChange(.records(refs), by: commit))
      refCount += refs.count
      if changes.count > Self.most.changes || refCount > Self.most.refs { forget() }
    }

    /// Drops the known changes, and counts a commit with unknown ones.
    mutating func skip() {
      forget()
      forgotten += 1
    }

    private mutating func forget() {
      (forgotten, changes, refCount) = (count, [], 0)
    }

    /// Returns all changes since a number of commits; `nil` if they are not known.
    func changes(since number: Int) -> [StoreChange]? {
      number < forgotten || number > count ? nil : Array(changes.dropFirst(number - forgotten))
    }
  }
#endif
