internal import Kinship

/// A log as it is known to somebody who only reads it.
struct FollowedLog {
  /// All segments but the last.
  private var sealed: [Log.SealedSegment] = []
  /// What is known of the last segment; `nil` if there is none.
  private var last: SegmentContents?
  /// Where its first commit begins.
  private var start = 0
  /// Whether it is that of a backup, which is renewed as a whole.
  private var isBackup = false
  /// The header of the last commit.
  private var tail: [UInt8] = []

  init() {}

  /// - Throws: `SystemError`.
  init(
    sealed: [Log.SealedSegment], _ last: SegmentContents, start: Int, isBackup: Bool
  ) throws(SystemError) {
    (self.sealed, self.start, self.isBackup) = (sealed, start, isBackup)
    self.last = last
    self.last?.entries = HintEntries()
    tail = try Self.tail(of: last)
  }

  /// The header of the last commit that was read, which proves it: one that was taken back may have
  /// been replaced by another.
  private static func tail(of contents: SegmentContents) throws(SystemError) -> [UInt8] {
    guard let offset = contents.lastCommit else { return [] }
    return try contents.segment.file.readBytes(FrameHeader.size, at: offset)
  }

  /// Whether the last commit that was read is still there.
  ///
  /// - Throws: `SystemError`.
  func isThere() throws(SystemError) -> Bool {
    guard let last else { return true }
    return try Self.tail(of: last) == tail
  }

  /// Whether nothing was begun behind the last commit, as far as a look tells.
  func isAll(of look: LogLook) -> Bool { isBackup || look.size == last?.end ?? 0 }

  /// All segments, the oldest first.
  var segments: [Log.SealedSegment] {
    guard let last else { return sealed }
    return sealed + [Log.SealedSegment(segment: last.segment, start: start, end: last.end)]
  }

  /// What was committed since.
  ///
  /// - Parameters:
  ///   - directory: Where the log is.
  ///   - environment: What the log works with.
  /// - Returns: What is to be taken in; `nil` if the log does not go on from where it was, and is
  ///   to be read anew.
  /// - Throws: `SystemError` and `KinshipError`; also for what has changed meanwhile.
  func step(in directory: any Directory, _ environment: LogEnvironment) throws -> LogStep? {
    guard let last, !isBackup else { return nil }
    let mark = try directory.bytes(of: SegmentName.mark).flatMap { LogMark($0) }
    let numbers = try directory.list().compactMap(SegmentName.logNumber).sorted()
    let newer = numbers.filter { $0 >= last.segment.number }
    guard newer.first == last.segment.number,
      zip(newer, newer.dropFirst()).allSatisfy({ $0 + 1 == $1 })
    else { return nil }
    let found = try newer.map { try FoundSegment($0, in: directory, .read) }
    guard found.allSatisfy({ $0.start != nil && $0.damage.isEmpty }),
      found[0].start?.identity == last.segment.identity, try isThere()
    else { return nil }
    var step = LogStep(numbers: Set(numbers))
    var (contents, start) = (last, start)
    var all = sealed.filter { step.numbers.contains($0.segment.number) }
    for (index, segment) in found.enumerated() {
      if index > 0 {
        guard let beginning = segment.start, beginning.firstSequence == contents.sequence + 1
        else { return nil }
        all.append(Log.SealedSegment(segment: contents.segment, start: start, end: contents.end))
        contents = SegmentContents(
          LogSegment(
            number: segment.number, identity: beginning.identity, file: segment.file,
            coder: try CoderTable.coder(
              beginning.coder, given: environment.coder, path: segment.file.path)),
          sequence: contents.sequence, end: segment.firstCommit)
        start = segment.firstCommit
        step.add(contents.segment, size: contents.end)
      }
      let next = index + 1 < found.count ? found[index + 1].start : nil
      let end = next?.previousEnd ?? segment.size
      guard contents.end <= end, try step.read(&contents, to: end, environment) else { return nil }
      if next != nil, contents.end < end { return nil }
    }
    // What is not whole, though it was on the disk, is damage.
    if let mark, mark.identity == contents.segment.identity, mark.end > contents.end { return nil }
    step.log = try FollowedLog(sealed: all, contents, start: start, isBackup: false)
    return step
  }
}
