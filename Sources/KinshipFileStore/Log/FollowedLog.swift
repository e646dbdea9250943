internal import Kinship

/// A log as a reader knows it.
struct FollowedLog {
  /// All segments but the last.
  private var sealed: [Log.SealedSegment] = []
  /// The known contents of the last segment; `nil` if there is none.
  private var last: SegmentContents?
  private var start = 0
  /// Whether the log is that of a backup, which is replaced as a whole.
  private var isBackup = false
  /// The header of the last commit.
  private var tail: [UInt8] = []

  init() {}

  init(
    sealed: [Log.SealedSegment], _ last: SegmentContents, start: Int, isBackup: Bool
  ) throws(SystemError) {
    (self.sealed, self.start, self.isBackup) = (sealed, start, isBackup)
    self.last = last
    self.last?.entries = HintEntries()
    tail = try Self.tail(of: last)
  }

  /// The header of the last commit that was read.
  ///
  /// It proves that the commit is still there: a rolled back commit may have been replaced by
  /// another.
  private static func tail(of contents: SegmentContents) throws(SystemError) -> [UInt8] {
    guard let offset = contents.lastCommit else { return [] }
    return try contents.segment.file.readBytes(FrameHeader.size, at: offset)
  }

  func isThere() throws(SystemError) -> Bool {
    guard let last else { return true }
    return try Self.tail(of: last) == tail
  }

  /// Whether there are no bytes after the last commit in this state of the log.
  func isAll(of signature: LogSignature) -> Bool { isBackup || signature.size == last?.end ?? 0 }

  /// All segments, the oldest first.
  var segments: [Log.SealedSegment] {
    guard let last else { return sealed }
    return sealed + [Log.SealedSegment(segment: last.segment, start: start, end: last.end)]
  }

  /// Reads the commits since the last read.
  ///
  /// - Returns: The commits to apply; `nil` if the log does not continue the known one, and must be
  ///   read from the beginning.
  /// - Throws: `SystemError` and `KinshipError`; also because of concurrent changes.
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
      }
      let next = index + 1 < found.count ? found[index + 1].start : nil
      let (first, end) = (contents.end, next?.previousEnd ?? segment.size)
      guard first <= end else { return nil }
      do {
        // A complete commit that does not continue them belongs to another state of the log.
        if try contents.read(to: end, environment) == .missingCommits { return nil }
      } catch KinshipError.file(.damaged) { return nil }
      if next != nil, contents.end < end { return nil }
      if index > 0 || contents.end > first {
        step.parts.append(LogStep.Part(contents: contents, start: first, isNew: index > 0))
      }
    }
    // An incomplete commit that was synced is damaged.
    if let mark, mark.identity == contents.segment.identity, mark.end > contents.end { return nil }
    step.log = try FollowedLog(sealed: all, contents, start: start, isBackup: false)
    return step
  }
}

/// The commits to a log since it was last read.
struct LogStep {
  /// The newly read part of a segment.
  struct Part {
    let contents: SegmentContents
    /// The offset from which it was read.
    let start: Int
    let isNew: Bool
  }

  let numbers: Set<UInt32>
  var log = FollowedLog()
  var parts: [Part] = []

  var isEmpty: Bool { parts.isEmpty }

  /// Applies the commits to a catalog, or a part of them if it throws.
  func apply(to catalog: inout Catalog) throws(KinshipError) {
    for part in parts {
      let segment = part.contents.segment
      segment.vocabulary = part.contents.vocabulary
      if part.isNew { catalog.space.add(segment, size: part.start) }
      catalog.space.grow(segment.number, by: part.contents.end - part.start)
      try catalog.load(part.contents)
    }
    // A writer removes a segment only after emptying it.
    for (number, share) in catalog.space.shares where !numbers.contains(number) && share.live == 0 {
      catalog.space.remove(number)
    }
  }
}
