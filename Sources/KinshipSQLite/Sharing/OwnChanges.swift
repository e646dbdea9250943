#if SQLite
  internal import Kinship

  /// Which rows of the log the store's own commits have written: of the latest ones.
  struct OwnChanges: Sendable {
    private static let most = 256

    /// In the order of their rows.
    private var commits: [(rows: ClosedRange<Int64>, commit: CommitID)] = []

    /// - Parameters:
    ///   - start: The last row before a commit.
    ///   - end: The last row after it.
    ///   - commit: The commit.
    mutating func add(after start: Int64, upTo end: Int64, by commit: CommitID) {
      guard start < end else { return }
      // What has later rows is of another log than there is now.
      commits.removeAll { $0.rows.upperBound > start }
      if commits.count == Self.most { commits.removeFirst() }
      commits.append((start + 1...end, commit))
    }

    /// Forgets a commit that was not made.
    mutating func remove(_ commit: CommitID) { commits.removeAll { $0.commit == commit } }

    /// Who has written a row; `nil` if it was somebody else.
    func commit(of number: Int64) -> CommitID? {
      var (low, high) = (0, commits.count)
      while low < high {
        let middle = (low + high) / 2
        if commits[middle].rows.upperBound < number { low = middle + 1 } else { high = middle }
      }
      return low < commits.count && commits[low].rows.contains(number) ? commits[low].commit : nil
    }
  }

  /// What the store itself has committed, where no log tells of it: the latest of it.
  struct UnloggedChanges: Sendable {
    private static let most = (changes: 256, refs: 65_536)

    private var changes: [StoreChange] = []
    private var refCount = 0
    /// How many there have been that are not known any more.
    private var forgotten = 0

    /// How many there have been.
    var count: Int { forgotten + changes.count }

    mutating func add(_ refs: [AnyRef], by commit: CommitID?) {
      changes.append(StoreChange(.records(refs), by: commit))
      refCount += refs.count
      if changes.count > Self.most.changes || refCount > Self.most.refs { forget() }
    }

    /// Something has been changed that nobody notes.
    mutating func skip() {
      forget()
      forgotten += 1
    }

    private mutating func forget() {
      (forgotten, changes, refCount) = (count, [], 0)
    }

    /// All since there have been so many; `nil` if it is not known.
    func changes(since number: Int) -> [StoreChange]? {
      number < forgotten || number > count ? nil : Array(changes.dropFirst(number - forgotten))
    }
  }
#endif
