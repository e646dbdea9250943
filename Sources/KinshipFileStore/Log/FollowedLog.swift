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
      let end = next?.previousEnd ?? segment.size
      guard contents.end <= end,
        try step.read(&contents, to: end, isNew: index > 0, environment)
      else { return nil }
      if next != nil, contents.end < end { return nil }
    }
    // An incomplete commit that was synced is damaged.
    if let mark, mark.identity == contents.segment.identity, mark.end > contents.end { return nil }
    step.log = try FollowedLog(sealed: all, contents, start: start, isBackup: false)
    return step
  }
}

/// The commits to a log since it was last read.
struct LogStep {
  /// An entry, without its record.
  private struct Change {
    let kind: LogEntry.Kind
    let type: TypeNumber
    let id: [UInt8]
    let position: Position
  }

  /// The newly read part of a segment.
  private struct Part {
    var contents: SegmentContents
    /// The offset from which it was read.
    let start: Int
    let isNew: Bool
  }

  let numbers: Set<UInt32>
  var log = FollowedLog()
  private var parts: [Part] = []
  private var changes: [Change] = []

  init(numbers: Set<UInt32>) { self.numbers = numbers }

  var isEmpty: Bool { parts.isEmpty }

  /// Reads the complete commits after the part that was read; returns whether they continue it.
  mutating func read(
    _ contents: inout SegmentContents, to end: Int, isNew: Bool, _ environment: LogEnvironment
  ) throws(KinshipError) -> Bool {
    let (segment, first) = (contents.segment, contents.end)
    var reader = FrameReader(segment.file, from: first, to: end, salvages: true)
    while let frame = try reader.next() {
      // F4: reading ends before the first commit that is not complete.
      guard frame.offset == contents.end, !frame.isDamaged, frame.kind == LogFrame.commit
      else { break }
      let head = try frame.read(CommitHead.init(from:))
      guard head.sequence == contents.sequence + 1, contents.vocabulary.canGrow(by: head.growth)
      else { return false }
      try contents.vocabulary.grow(by: head.growth, environment)
      let types = contents.vocabulary.types
      var isKnown = true
      try frame.forEachEntry(in: segment.number, isChecked: true) { entry, position in
        guard types.indices.contains(entry.type) else { return isKnown = false }
        // Skip records of a type that was removed from the schema.
        guard let type = types[entry.type].number else { return }
        changes.append(
          Change(kind: entry.kind, type: type, id: Array(entry.id), position: position))
      }
      guard isKnown else { return false }
      contents.sequence = head.sequence
      contents.end = reader.offset
      contents.lastCommit = frame.offset
    }
    if isNew || contents.end > first {
      parts.append(Part(contents: contents, start: first, isNew: isNew))
    }
    return true
  }

  /// Applies the commits to a catalog, or a part of them if it throws.
  func apply(to catalog: inout Catalog) throws(KinshipError) {
    var decoders: [UInt32: any RecordDecoder] = [:]
    for var part in parts {
      let segment = part.contents.segment
      segment.vocabulary = part.contents.vocabulary
      if part.isNew { catalog.space.add(segment, size: part.start) }
      catalog.space.grow(segment.number, by: part.contents.end - part.start)
      decoders[segment.number] = part.contents.makeDecoder()
    }
    for type in Set(changes.map(\.type)) { catalog.locations[type].dropIndexes() }
    for change in changes {
      guard let decoder = decoders[change.position.segment] else { continue }
      try change.id.span.bytes.withUnsafeBytes { id throws(KinshipError) in
        try catalog.locations[change.type].load(
          [IndexedEntry(kind: change.kind, id: id, position: change.position)],
          in: change.position.segment, by: { decoder }, &catalog.space)
      }
    }
    // A writer removes a segment only after emptying it.
    for (number, share) in catalog.space.shares where !numbers.contains(number) && share.live == 0 {
      catalog.space.remove(number)
    }
  }
}
