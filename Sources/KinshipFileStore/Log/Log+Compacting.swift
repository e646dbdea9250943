internal import Kinship

extension Log {
  /// Whether enough of the log is outdated for compaction to pay off.
  ///
  /// While a segment is emptied, its current entries exist twice. The limit for all files is two
  /// and a half times the current entries, plus the overhead of a small store. So there must be
  /// room to empty any segment, not only the oldest: the next one may be many times as large, and
  /// then it would be too late. There must be something to save as well: hints and frames take up
  /// some space that stays.
  var isWastingSpace: Bool {
    let space = catalog.read(\.space)
    guard space.logged - space.live > space.live / 4 else { return false }
    let largest = sealed.lazy.compactMap { space.shares[$0.segment.number]?.live }.max()
    let slack = 2 * environment.tuning.smallestSegment
    return space.total + (largest ?? space.live) > 2 * space.live + slack
  }

  /// Moves as many entries as the earlier commits require, so that the log cannot grow faster than
  /// it is compacted.
  func payDebt() {
    defer { compactionBudget = 0 }
    guard isWastingSpace else { return }
    do {
      while compactionBudget > 0, isWastingSpace {
        compactionBudget -= try compactPiece(atMost: compactionBudget)
      }
    } catch { recordFailure(error) }
  }

  /// Empties a chunk of the oldest segment, and removes the segment when it is empty.
  ///
  /// - Returns: The number of bytes processed, at least 1.
  /// - Throws: `SystemError` and `KinshipError`; then nothing has changed, and the next call begins
  ///   again.
  func compactPiece(atMost limit: Int) throws -> Int {
    do {
      try prepare()
      if sealed.isEmpty { try seal() }
      guard let oldest = sealed.first else { return 1 }
      var cursor = self.cursor ?? EntryCursor(oldest)
      // A segment ends with the commit that fills it: a larger chunk would make it too large.
      let entries = try cursor.next(
        atMost: min(limit, environment.tuning.movedAtOnce, segmentLimit))
      if entries.isEmpty {
        try removeOldest()
        self.cursor = nil
      } else {
        try move(entries, of: oldest.segment)
        self.cursor = cursor
      }
      return entries.reduce(1) { $0 + Int($1.position.length) }
    } catch {
      cursor = nil
      throw error
    }
  }

  func move(_ entries: [FoundEntry], of segment: LogSegment) throws {
    var group = CommitGroup(active)
    // No older entry is left that a deletion would have to hide.
    try rewrite(entries, of: segment, keepingDeletions: false, into: &group)
    if !group.commits.isEmpty { try append(group, syncing: false) }
  }

  func removeOldest() throws {
    // 1. Sync the new copies of its entries.
    try sync()
    // 2. Make the previous removal durable: otherwise a record might reappear whose deletion was in
    //    this segment.
    if isRemovalUncertain { try directory.sync() }
    guard let oldest = sealed.first else { return }
    let live = catalog.read { $0.space.shares[oldest.segment.number]?.live ?? 0 }
    guard live == 0 else {
      // They are at the positions from the hint, but in none of its commits: they would be lost.
      throw oldest.segment.damage(at: oldest.start, "there are records in no commit")
    }
    // 3. Write a mark that does not need it.
    try markRemoval()
    // 4. Remove the segment, and then its hint.
    isRemovalUncertain = true
    try directory.remove(SegmentName.log(oldest.segment.number))
    sealed.removeFirst()
    catalog.change { $0.space.remove(oldest.segment.number) }
    try directory.remove(SegmentName.hint(oldest.segment.number))
    try directory.sync()
    isRemovalUncertain = false
  }
}

/// Reads the entries of a part of a segment, some at a time.
struct EntryCursor {
  private var reader: FrameReader
  private let segment: LogSegment
  private var entries: ArraySlice<FoundEntry> = []

  init(_ sealed: Log.SealedSegment) {
    segment = sealed.segment
    reader = FrameReader(segment.file, from: sealed.start, to: sealed.end, salvages: false)
  }

  /// The next entries, at most a number of bytes or one entry; none at the end.
  mutating func next(atMost limit: Int) throws(KinshipError) -> [FoundEntry] {
    var (found, count): ([FoundEntry], Int) = ([], 0)
    while count < limit {
      if let entry = entries.popFirst() {
        found.append(entry)
        count += Int(entry.position.length)
      } else if let frame = try reader.next() {
        entries = try FoundEntry.all(in: frame, of: segment)[...]
      } else {
        break
      }
    }
    return found
  }
}
