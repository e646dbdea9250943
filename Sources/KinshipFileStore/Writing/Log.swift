internal import Kinship

/// The log of a store, as the one who writes it knows it.
///
/// Commits are appended to the last segment. A segment that is large enough is sealed: synced,
/// described by a hint, and never written again. The oldest segment is emptied by writing what is
/// not outdated in it again, and removed.
final class Log {
  /// A segment that is never written again.
  struct SealedSegment {
    let segment: LogSegment
    /// Where its first commit begins.
    let start: Int
    let end: Int
  }

  /// What is known of the end of the log.
  enum Condition {
    /// It is as it should be.
    case sound
    /// A write has failed: behind the end there may be bytes of what was not committed.
    case torn
    /// A sync has failed: what was not synced before may never be on the disk, whatever a later
    /// sync says.
    case distrusted
  }

  let environment: LogEnvironment
  let directory: any Directory
  /// Locked for as long as this is there.
  let lock: any OpenFile
  let catalog: LockedCatalog
  var active: ActiveSegment
  /// The segments before, the oldest first.
  var sealed: [SealedSegment]
  /// The record types of today by their numbers in the schema, as far as they were written.
  var types: [Int: StoredType] = [:]
  var condition = Condition.sound
  /// What may be moved before the next commit.
  var debt = 0
  /// Where compaction has come to in the oldest segment.
  var cursor: CompactionCursor?
  /// What the mark says, as far as that is known.
  private var mark: LogMark?
  /// The number of the first segment, as the mark says: it may not be one that could be removed
  /// already.
  private var firstMarked: UInt32
  /// The mark's file, once it was written to.
  private var markFile: (any OpenFile)?
  /// Up to where the last segment's hint says what there is, if it has one.
  var hintEnd: Int?
  /// Whether it is not certain that the segment that was removed last stays removed.
  var isRemovalUncertain = false
  let strangeFields: StrangeFields

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
    strangeFields = StrangeFields(environment.coder)
  }

  /// All segments as they are, the oldest first.
  var segments: [SealedSegment] {
    sealed + [SealedSegment(segment: active.segment, start: active.start, end: active.end)]
  }

  /// The size at which a segment is sealed.
  var segmentLimit: Int {
    let tuning = environment.tuning
    let live = catalog.read { $0.space.live }
    return min(max(tuning.smallestSegment, live / tuning.segmentsPerStore), tuning.largestSegment)
  }

  /// Makes the log ready to be appended to.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  func prepare() throws {
    try repair()
    if active.end >= segmentLimit { try seal() }
  }

  /// An empty group of commits.
  func group() -> CommitGroup {
    CommitGroup(
      segment: active.number, start: active.end, sequence: active.sequence, types: active.types,
      keyCount: active.keyCount)
  }

  /// Writes a group of commits, and takes it in.
  ///
  /// - Parameters:
  ///   - group: The group, made for the log as it is.
  ///   - isSyncing: Whether to wait until it is on the disk.
  /// - Throws: `SystemError` and `KinshipError`; then nothing of it has happened.
  func append(_ group: CommitGroup, syncing isSyncing: Bool) throws {
    do throws(SystemError) {
      try group.bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
        try active.segment.file.write(bytes, at: group.start)
      }
    } catch {
      condition = .torn
      throw error
    }
    if isSyncing { try syncFile() }
    takeOver(group)
    if isSyncing { noteSynced() }
  }

  /// Takes in a group of commits that was written.
  func takeOver(_ group: CommitGroup) {
    var vocabulary = active.segment.vocabulary
    vocabulary.add(
      keys: Array(active.encoder.keys[active.keyCount..<group.keyCount]),
      types: Array(group.types.types.dropFirst(active.types.types.count)))
    active.segment.vocabulary = vocabulary
    active.types = group.types
    active.keyCount = group.keyCount
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

  /// Waits until all that was committed is on the disk.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  func sync() throws {
    try repair()
    guard active.synced < active.end else { return }
    try syncFile()
    noteSynced()
  }

  /// Takes in that all of the last segment is on the disk, and says so in the mark.
  func noteSynced() {
    active.noteSynced()
    // Without it less could be proven, and nothing is lost.
    do { try writeMark() } catch { note(error) }
  }

  /// Says in the mark, for certain, that the oldest segment is not missed any longer.
  ///
  /// - Throws: `SystemError`.
  func markRemoval() throws(SystemError) {
    firstMarked = max(firstMarked, segments[1].segment.number)
    try writeMark()
    try markFile?.sync()
  }

  /// Says in the mark from where, and up to where, the log is on the disk.
  private func writeMark() throws(SystemError) {
    firstMarked = max(firstMarked, sealed.first?.segment.number ?? active.number)
    let new = LogMark(
      first: firstMarked, number: active.number, identity: active.segment.identity,
      end: active.synced)
    guard new != mark else { return }
    let file = if let markFile { markFile } else { try directory.openOrCreate(SegmentName.mark) }
    (mark, markFile) = (nil, file)
    try new.bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in
      try file.write(bytes, at: 0)
    }
    mark = new
  }

  /// Waits until all that was written to the segment is on the disk.
  func syncFile() throws(SystemError) {
    do { try active.segment.file.sync() } catch {
      condition = .distrusted
      throw error
    }
    catalog.change { $0.tally.syncs += 1 }
  }

  /// Syncs the log, and describes its last segment, so that opening it need not read it.
  ///
  /// - Throws: `SystemError` and `KinshipError`.
  func close() throws {
    try sync()
    // All that was committed is on the disk: what follows makes opening faster, and damage easier
    // to find.
    do {
      if hintEnd != active.end { try writeHint(of: active) }
      hintEnd = active.end
      try markFile?.sync()
    } catch { note(error) }
  }

  /// Writes the hint of a segment that was synced.
  func writeHint(of segment: ActiveSegment) throws(SystemError) {
    let bytes = segment.wholeHint.bytes
    try FileReplacement.replace(
      SegmentName.hint(segment.number), in: directory, with: bytes)
    let number = segment.number
    catalog.change { $0.space.describe(number, by: bytes.count) }
  }
}

/// What a log works with.
struct LogEnvironment: Sendable {
  let files: any FileSystem
  let path: String
  let schema: GraphSchema
  let coder: any RecordCoder
  let durability: FileStore.Durability
  let damage: DamagePolicy
  let migrations: Migrations
  let tuning: LogTuning
}
