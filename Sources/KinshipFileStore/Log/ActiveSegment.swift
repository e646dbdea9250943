internal import Kinship

/// The segment of the log to which commits are appended.
struct ActiveSegment {
  let segment: LogSegment
  let start: Int
  var end: Int
  var sequence: UInt64
  /// The end of its synced part.
  var synced: Int
  /// The sequence number of the last synced commit.
  var syncedSequence: UInt64
  var encoder: any RecordEncoder
  var hint: HintEntries

  var number: UInt32 { segment.number }

  /// Records that the whole segment is synced.
  mutating func noteSynced() { (synced, syncedSequence) = (end, sequence) }
}

/// A segment that is being created: it appears atomically, with its beginning, or not at all.
struct NewSegment {
  let active: ActiveSegment
  private let replacement: FileReplacement

  /// Creates the file under a temporary name.
  ///
  /// `previousEnd` is the end of the segment before, `sequence` that of the last commit before.
  init(
    _ number: UInt32, after previousEnd: Int, sequence: UInt64, _ environment: LogEnvironment,
    _ directory: any Directory, encoder: any RecordEncoder
  ) throws(SystemError) {
    let start = SegmentStart(
      number: number, identity: .random(in: 0 ... .max), firstSequence: sequence + 1,
      previousEnd: previousEnd, coder: environment.coder.name)
    let bytes = FileHeader.Kind.log.file(LogFrame.start, start.payload)
    let replacement = try FileReplacement(of: SegmentName.log(number), in: directory)
    try replacement.write(bytes)
    self.replacement = replacement
    active = ActiveSegment(
      segment: LogSegment(
        number: number, identity: start.identity, file: replacement.file,
        coder: environment.coder),
      start: bytes.count, end: bytes.count, sequence: sequence, synced: bytes.count,
      syncedSequence: sequence, encoder: encoder, hint: HintEntries())
  }

  /// Appends commits, and makes the segment part of the log, which it may be even if this throws.
  func publish(with commits: [UInt8]) throws(SystemError) {
    try replacement.write(commits)
    do { try replacement.publish() } catch { throw error.cause }
  }
}
