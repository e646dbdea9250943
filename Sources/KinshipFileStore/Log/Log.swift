internal import Kinship

/// The log of a store, for writing.
///
/// Commits are appended to the last segment. A segment that is large enough is sealed: synced,
/// described by a hint, and never written again. The oldest segment is emptied by rewriting its
/// current entries, and then removed.
final class Log {
  /// A segment that is not written any more.
  struct SealedSegment {
    let segment: LogSegment
    let start: Int
    let end: Int
  }

  /// The state of the end of the log.
  enum Condition {
    case sound
    /// A write has failed: there may be bytes of uncommitted changes after the end.
    case torn
    /// A sync has failed: data that was unsynced then may never be on disk, whatever a later sync
    /// reports.
    case distrusted
  }

  let environment: LogEnvironment
  let directory: any Directory
  /// Held for the lifetime of the log.
  let lock: any OpenFile
  let catalog: LockedCatalog
  var active: ActiveSegment
  /// The earlier segments, the oldest first.
  var sealed: [SealedSegment]
  /// The current record types that were written, by their numbers in the schema.
  var types: [Int: StoredType] = [:]
  var condition = Condition.sound
  /// The number of bytes that may be compacted before the next commit.
  var compactionBudget = 0
  /// The progress of compaction in the oldest segment.
  var cursor: EntryCursor?
  /// The contents of the mark, if known.
  private var mark: LogMark?
  /// The number of the first segment in the mark.
  ///
  /// It never decreases, because earlier segments may be removed already.
  private var firstMarked: UInt32
  /// The file of the mark, once it was written.
  private var markFile: (any OpenFile)?
  /// The offset at which the last segment's hint ends, if it has one.
  var hintEnd: Int?
  /// Whether the removal of the last removed segment may not be durable yet.
  var isRemovalUncertain = false
  let unknownFieldTable: UnknownFields

  init(
    _ environment: LogEnvironment, _ directory: any Directory, lock: any OpenFile,
    mark: LogMark?, _ catalog: LockedCatalog, _ active: ActiveSegment, hintEnd: Int?,
    sealed: [SealedSegment]
  ) {
    self.environment = environment
    self.directory = directory
    self.lock = lock
    self.mark = mark
    firstMarked = mark?.first ?? 0
    self.hintEnd = hintEnd
    self.catalog = catalog
    self.active = active
    self.sealed = sealed
    unknownFieldTable = UnknownFields(environment.coder)
  }

  /// All segments in their current state, the oldest first.
  var segments: [SealedSegment] {
    sealed + [SealedSegment(segment: active.segment, start: active.start, end: active.end)]
  }

  /// The size at which a segment is sealed.
  var segmentLimit: Int {
    let tuning = environment.tuning
    let live = catalog.read { $0.space.live }
    return min(max(tuning.smallestSegment, live / tuning.segmentsPerStore), tuning.largestSegment)
  }

  func prepare() throws {
    try repair()
    if active.end >= segmentLimit { try seal() }
  }

  /// Writes a group of commits, and applies it; no part of it is applied if this throws.
  func append(_ group: CommitGroup, syncing isSyncing: Bool) throws {
    do throws(SystemError) {
      try active.segment.file.write(group.bytes, at: group.start)
    } catch {
      condition = .torn
      throw error
    }
    if isSyncing { try syncFile() }
    takeOver(group)
    if isSyncing { noteSynced() }
  }

  /// Applies a group of commits that was written.
  func takeOver(_ group: CommitGroup) {
    active.segment.vocabulary = group.vocabulary
    active.end = group.end
    active.sequence = group.sequence
    for commit in group.commits {
      for mark in commit.marks {
        active.hint.append(
          mark.kind, type: mark.type, id: mark.id,
          offset: commit.offset + mark.entry.lowerBound, length: mark.entry.count)
      }
    }
    let number = active.number
    catalog.change { catalog in
      catalog.space.grow(number, by: group.bytes.count)
      catalog.version += 1
      for commit in group.commits {
        for part in commit.parts { part.publish(number, from: commit.offset, to: &catalog) }
      }
    }
  }

  func sync() throws {
    try repair()
    guard active.synced < active.end else { return }
    try syncFile()
    noteSynced()
  }

  /// Records that the last segment is synced, and writes the mark.
  func noteSynced() {
    active.noteSynced()
    // Without the mark, less can be proven, but nothing is lost.
    do { try writeMark() } catch { recordFailure(error) }
  }

  /// Writes and syncs a mark that does not need the oldest segment.
  func markRemoval() throws(SystemError) {
    firstMarked = max(firstMarked, segments[1].segment.number)
    try writeMark()
    try markFile?.sync()
  }

  private func writeMark() throws(SystemError) {
    firstMarked = max(firstMarked, sealed.first?.segment.number ?? active.number)
    let new = LogMark(
      first: firstMarked, number: active.number, identity: active.segment.identity,
      end: active.synced)
    guard new != mark else { return }
    let file = if let markFile { markFile } else { try directory.openOrCreate(SegmentName.mark) }
    (mark, markFile) = (nil, file)
    try file.write(new.bytes, at: 0)
    mark = new
  }

  /// Waits until all written bytes of the segment are on disk.
  func syncFile() throws(SystemError) {
    do { try active.segment.file.sync() } catch {
      condition = .distrusted
      throw error
    }
    catalog.change { $0.tally.syncs += 1 }
  }

  /// Syncs the log, and writes the hint of its last segment, so that opening need not read it.
  func close() throws {
    try sync()
    // All commits are on disk: the rest makes opening faster, and damage easier to find.
    do {
      if hintEnd != active.end { try writeHint(of: active) }
      hintEnd = active.end
      try markFile?.sync()
    } catch { recordFailure(error) }
  }

  func writeHint(of segment: ActiveSegment) throws(SystemError) {
    try Hint(of: segment.segment, to: segment.end, segment.sequence, segment.hint)
      .write(in: directory, catalog)
  }
}

extension Hint {
  /// Writes the hint, or replaces an older one of its segment.
  func write(in directory: any Directory, _ catalog: LockedCatalog) throws(SystemError) {
    let bytes = bytes
    try FileReplacement.replace(SegmentName.hint(number), in: directory, with: bytes)
    catalog.change { $0.space.describe(number, by: bytes.count) }
  }
}
