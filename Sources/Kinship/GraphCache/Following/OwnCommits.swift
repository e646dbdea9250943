/// The commits of a cache, as far as a log may yet tell of them.
///
/// What the log says of one is held back until it is known what has become of it: what is in its
/// change set is in memory then, and not forgotten; what the database has done beyond it, and all
/// of one that has failed, counts as done by somebody else.
struct OwnCommits: Sendable {
  private let cache: UInt64
  private var last: UInt64 = 0
  /// What the log has said of those that have not ended.
  private var underway: [CommitID: [StoreChange.Extent]] = [:]
  /// What those have changed that have ended and of which the log has not told yet, with the number
  /// of the poll that was the last to begin before.
  private var made: [CommitID: (refs: Set<AnyRef>, poll: UInt64)] = [:]

  /// - Parameter cache: A number that no other cache has.
  init(cache: UInt64) { self.cache = cache }

  /// Whether nothing is held back, nor waited for.
  var isEmpty: Bool { underway.isEmpty && made.isEmpty }

  /// Whether one has not ended.
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
  ///   - refs: What the store has changed; `nil` if it has refused, or nobody knows.
  ///   - poll: The number of the latest poll that has begun.
  /// - Returns: What others have changed, or may have.
  mutating func end(
    _ commit: CommitID, changing refs: Set<AnyRef>?, poll: UInt64
  ) -> [StoreChange.Extent] {
    let parked = underway.removeValue(forKey: commit) ?? []
    guard let refs else { return parked }
    // All of a commit is told at once.
    if parked.isEmpty { made[commit] = (refs, poll) }
    return parked.compactMap { Self.rest(of: $0, without: refs) }
  }

  /// Takes in what the log says.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - poll: The number of the poll that has answered so.
  /// - Returns: What others have changed, or may have.
  mutating func take(_ changes: [StoreChange], poll: UInt64) -> [StoreChange.Extent] {
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
    // What has ended before the poll began is told by now, or never will be.
    made = made.filter { !told.contains($0.key) && $0.value.poll >= poll }
    return others
  }

  /// What was captured before they ended is about to come to memory: what the log tells of those
  /// that have ended counts as done by somebody else from now on.
  mutating func noteRestoring() { made = [:] }

  private static func rest(
    of extent: StoreChange.Extent, without refs: Set<AnyRef>
  ) -> StoreChange.Extent? {
    guard case .records(let changed) = extent else { return extent }
    let others = changed.filter { !refs.contains($0) }
    return others.isEmpty ? nil : .records(others)
  }
}
