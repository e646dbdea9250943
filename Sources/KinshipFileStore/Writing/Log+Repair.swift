internal import Kinship

extension Log {
  /// Makes the end of the log sound again, after something has failed.
  ///
  /// - Throws: `SystemError` and `KinshipError`; then nothing can be committed yet.
  func repair() throws {
    if condition == .torn {
      // What was not acknowledged must not come back.
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

  /// Writes what was acknowledged without having been synced to a new segment.
  ///
  /// After a sync has failed, the system may take what it could not write for written: a later sync
  /// that succeeds proves nothing. So the segment ends where the last sync that succeeded has left
  /// it, and the new one says so.
  private func replaceDistrusted() throws {
    let old = active
    let entries = try distrusted()
    try begin(after: old.synced, sequence: old.syncedSequence, goingOn: true) { group in
      guard !entries.isEmpty else { return }
      var buffer = EntryBuffer(types: group.types)
      try rewrite(entries, of: old.segment, keepingDeletions: true, into: &buffer)
      try group.append(
        buffer, keys: active.encoder.keys, synced: active.synced, path: active.segment.path)
    }
    catalog.change { $0.space.grow(old.number, by: old.synced - old.end) }
    // The new segment says where the old one ends: this is for the room alone.
    do { try old.segment.file.truncate(to: old.synced) } catch { note(error) }
  }

  /// The entries that were acknowledged without having been synced, as they can still be read.
  private func distrusted() throws -> [FoundEntry] {
    var reader = FrameReader(
      active.segment.file, path: active.segment.path, from: active.synced, to: active.end,
      salvages: false)
    var entries: [FoundEntry] = []
    while let frame = try reader.next() {
      entries += try FoundEntry.all(in: frame, of: active.segment)
    }
    return entries
  }
}
