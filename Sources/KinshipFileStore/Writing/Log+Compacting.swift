internal import Kinship

extension Log {
  /// Whether so much of the log is outdated that it is worthwhile to write the rest again.
  ///
  /// While a segment is emptied, what is not outdated in it is there twice. Together the files are
  /// to stay below two and a half times what is not outdated, beyond what a small store takes
  /// anyway. So there is to be room for any segment, not for the oldest alone: the one after it may
  /// be many times as large, and then it would be too late to make room. There must be something to
  /// save as well: hints and frames take some room that stays.
  var isWastingSpace: Bool {
    let space = catalog.read(\.space)
    guard space.logged - space.live > space.live / 4 else { return false }
    let largest = sealed.lazy.compactMap { space.shares[$0.segment.number]?.live }.max()
    let slack = 2 * environment.tuning.smallestSegment
    return space.total + (largest ?? space.live) > 2 * space.live + slack
  }

  /// Moves as much as the commits before are to pay for: so the log cannot grow faster than it is
  /// compacted.
  func payDebt() {
    defer { debt = 0 }
    guard isWastingSpace else { return }
    do {
      while debt > 0, isWastingSpace { debt -= try compactPiece(atMost: debt) }
    } catch { note(error) }
  }

  /// Empties a piece of the oldest segment, and removes it when nothing is left in it.
  ///
  /// - Parameter limit: How many bytes to look through, or one entry.
  /// - Returns: How many were looked through, at least 1.
  /// - Throws: `SystemError` and `KinshipError`; then nothing has changed, and the next call begins
  ///   again.
  func compactPiece(atMost limit: Int) throws -> Int {
    do {
      try prepare()
      if sealed.isEmpty { try seal() }
      guard let oldest = sealed.first else { return 1 }
      var cursor = self.cursor ?? CompactionCursor(oldest)
      // A segment ends with the commit that fills it: more at once would make one that is too
      // large.
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

  /// Writes what is not outdated of some entries again.
  func move(_ entries: [FoundEntry], of segment: LogSegment) throws {
    var group = group()
    var buffer = EntryBuffer(types: group.types)
    // Nothing older is left that a deletion would have to hide.
    try rewrite(entries, of: segment, keepingDeletions: false, into: &buffer)
    guard !buffer.marks.isEmpty else { return }
    try group.append(
      buffer, keys: active.encoder.keys, synced: active.synced, path: active.segment.path)
    try append(group, syncing: false)
  }

  /// Removes the oldest segment, in which nothing is left.
  func removeOldest() throws {
    // 1. What was in it is on the disk elsewhere.
    try sync()
    // 2. What was removed before stays removed: or a record might be back whose deletion is gone
    //    with this.
    if isRemovalUncertain { try directory.sync() }
    guard let oldest = sealed.first else { return }
    let live = catalog.read { $0.space.shares[oldest.segment.number]?.live ?? 0 }
    guard live == 0 else {
      // They are where the hint says, but in none of its commits: they would be gone.
      throw KinshipError.damaged(
        oldest.segment.damage(at: oldest.start, "there are records in no commit"))
    }
    // 3. Nobody misses it.
    try markRemoval()
    // 4. It is removed, and then its hint.
    isRemovalUncertain = true
    try directory.remove(SegmentName.log(oldest.segment.number))
    sealed.removeFirst()
    catalog.change { $0.space.remove(oldest.segment.number) }
    try directory.remove(SegmentName.hint(oldest.segment.number))
    try directory.sync()
    isRemovalUncertain = false
  }
}
