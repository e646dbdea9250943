internal import Kinship

/// The cache's commits that a log may still report.
///
/// Log entries of a commit are held back until its outcome is known. Records in its change set are
/// in memory then, and are not dropped. Everything else the database did, and everything of a
/// failed commit, counts as done by others.
struct OwnCommits: Sendable {
  private let cache: UInt64
  private var last: UInt64 = 0
  /// The log entries of commits in progress.
  private var underway: [CommitID: [StoreChange.Extent]] = [:]
  /// The changes of ended commits that the log has not reported yet, with the number of the last
  /// poll that began before the end.
  private var made: [CommitID: (refs: Set<AnyRef>, poll: UInt64)] = [:]

  /// - Parameter cache: A number that no other cache has.
  init(cache: UInt64) { self.cache = cache }

  /// Whether no entry is held back or awaited.
  var isEmpty: Bool { underway.isEmpty && made.isEmpty }

  /// Whether a commit is in progress.
  var areUnderway: Bool { !underway.isEmpty }

  mutating func begin() -> CommitID {
    last += 1
    let commit = CommitID(cache: cache, number: last)
    underway[commit] = []
    return commit
  }

  /// Ends a commit.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - refs: The records that the store has changed; `nil` if it has rejected the commit, or the
  ///     outcome is unknown.
  ///   - poll: The number of the latest poll that has begun.
  /// - Returns: The changes that others have made, or may have made.
  mutating func end(
    _ commit: CommitID, changing refs: Set<AnyRef>?, poll: UInt64
  ) -> [StoreChange.Extent] {
    let parked = underway.removeValue(forKey: commit) ?? []
    guard let refs else { return parked }
    // The log reports a commit as a whole.
    if parked.isEmpty { made[commit] = (refs, poll) }
    return parked.compactMap { Self.rest(of: $0, without: refs) }
  }

  /// Returns the changes of a log that are not the cache's own.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - poll: The number of the poll that returned them.
  /// - Returns: The changes that others have made, or may have made.
  mutating func foreignChanges(_ changes: [StoreChange], poll: UInt64) -> [StoreChange.Extent] {
    var told: Set<CommitID> = []
    var others: [StoreChange.Extent] = []
    for change in changes {
      if let commit = change.commit, underway[commit] != nil {
        underway[commit]?.append(change.extent)
      } else if let commit = change.commit, let refs = made[commit]?.refs {
        told.insert(commit)
        if let rest = Self.rest(of: change.extent, without: refs) { others.append(rest) }
      } else {
        others.append(change.extent)
      }
    }
    // A commit that ended before the poll began is reported by now, or never.
    made = made.filter { !told.contains($0.key) && $0.value.poll >= poll }
    return others
  }

  /// Counts the log entries of ended commits as done by others from now on.
  ///
  /// Data captured before they ended is about to be restored.
  mutating func prepareForRestoration() { made = [:] }

  private static func rest(
    of extent: StoreChange.Extent, without refs: Set<AnyRef>
  ) -> StoreChange.Extent? {
    guard case .records(let changed) = extent else { return extent }
    let others = changed.filter { !refs.contains($0) }
    return others.isEmpty ? nil : .records(others)
  }
}
