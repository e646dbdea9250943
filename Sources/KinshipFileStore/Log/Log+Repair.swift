internal import Kinship

extension Log {
  /// Repairs the end of the log after a failure; until then, nothing can be committed.
  func repair() throws {
    if condition == .torn {
      // Commits that were not acknowledged must not reappear.
      try active.segment.file.truncate(to: active.end)
      condition = .sound
      try syncFile()
      noteSynced()
    }
    if condition == .distrusted {
      try replaceDistrusted()
      condition = .sound
    }
  }

  /// Rewrites commits that were acknowledged but not synced to a new segment.
  ///
  /// After a failed sync, the system may treat unwritten data as written: a later sync that
  /// succeeds proves nothing. So the segment ends where the last successful sync ended, and the new
  /// one records that.
  private func replaceDistrusted() throws {
    let old = active
    // Those that were acknowledged but not synced, and can still be read.
    var cursor = EntryCursor(
      SealedSegment(segment: old.segment, start: old.synced, end: old.end))
    let entries = try cursor.next(atMost: .max)
    try beginSegment(after: old.synced, sequence: old.syncedSequence, goingOn: true) { group in
      guard !entries.isEmpty else { return }
      try rewrite(entries, of: old.segment, keepingDeletions: true, into: &group)
    }
    catalog.change { $0.space.grow(old.number, by: old.synced - old.end) }
    // The new segment records the end of the old one: this only saves space.
    do { try old.segment.file.truncate(to: old.synced) } catch { recordFailure(error) }
  }
}
