internal import Kinship

/// The known contents of a segment while it is opened or followed.
struct SegmentContents {
  /// The reason why the rest of a segment does not continue its known contents.
  enum Fault: String {
    case missingFrame = "a frame is missing"
    /// There is a frame with an intact header.
    case damagedFrame = "the checksum of a frame is wrong"
    case missingCommits = "commits are missing"
  }

  let segment: LogSegment
  var vocabulary = Vocabulary()
  /// The entries that were read, in the order of the log.
  var entries = HintEntries()
  /// The sequence number of the last commit.
  var sequence: UInt64
  /// The end of the part that was read.
  var end: Int
  /// The offset of the last commit that was read; `nil` if none was.
  private(set) var lastCommit: Int?

  init(_ segment: LogSegment, sequence: UInt64, end: Int) {
    self.segment = segment
    self.sequence = sequence
    self.end = end
  }

  /// Takes the contents that a hint describes.
  mutating func take(_ hint: Hint, _ environment: LogEnvironment) throws(KinshipError) {
    try vocabulary.grow(by: hint.vocabulary, environment)
    (entries, sequence, end) = (hint.entries, hint.lastSequence, hint.end)
  }

  /// Reads the complete commits that continue the known contents, up to an offset in the segment.
  ///
  /// - Returns: The fault at the end of the contents, if they do not reach that offset.
  /// - Throws: `KinshipError.file(.damaged)` for a commit that is complete, but invalid.
  mutating func read(
    to limit: Int, _ environment: LogEnvironment
  ) throws(KinshipError) -> Fault? {
    var reader = FrameReader(segment.file, from: end, to: limit, salvages: true)
    // F4: reading ends before the first commit that is not complete.
    while let frame = try reader.next(), frame.offset == end {
      if frame.isDamaged { return .damagedFrame }
      let head = try frame.commitHead()
      guard head.sequence == sequence &+ 1 else { return .missingCommits }
      guard vocabulary.canGrow(by: head.growth) else {
        throw frame.damage("keys or types are missing")
      }
      try add(frame, head, environment)
      (end, lastCommit) = (reader.offset, frame.offset)
    }
    return end == limit ? nil : .missingFrame
  }

  /// Adds an intact commit.
  mutating func add(
    _ frame: Frame, _ head: CommitHead, _ environment: LogEnvironment
  ) throws(KinshipError) {
    try vocabulary.grow(by: head.growth, environment)
    try frame.forEachEntry(in: segment.number, isChecked: false) {
      entry, position throws(KinshipError) in
      _ = try segment.type(entry.type, in: vocabulary, at: position)
      add(entry, at: position)
    }
    sequence = head.sequence
  }

  mutating func add(_ entry: LogEntry, at position: Position) {
    entries.append(
      entry.kind, type: entry.type, id: entry.id, offset: Int(position.offset),
      length: Int(position.length))
  }
}

extension Frame {
  func commitHead() throws(KinshipError) -> CommitHead {
    guard kind == LogFrame.commit else { throw damage("a frame has an unknown kind") }
    return try read(CommitHead.init(from:))
  }
}

extension Catalog {
  /// Applies the entries of a segment, in runs of one type.
  mutating func load(_ contents: SegmentContents) throws(KinshipError) {
    let (segment, types) = (contents.segment, contents.vocabulary.types)
    var known: (any RecordDecoder)?
    func decoder() -> any RecordDecoder {
      let decoder = known ?? segment.coder.makeDecoder(keys: contents.vocabulary.keys)
      known = decoder
      return decoder
    }
    var (run, runType, rest) = ([IndexedEntry](), 0, contents.entries.count)
    func loadRun() throws(KinshipError) {
      // Skip records of a type that was removed from the schema.
      guard !run.isEmpty, let number = types[runType].number else { return }
      try locations[number].load(run, in: segment.number, by: decoder, &space)
    }
    try contents.entries.forEach(path: segment.path) { kind, type, id, place throws(KinshipError) in
      if type != runType || run.count == Chunk.size {
        try loadRun()
        run.removeAll(keepingCapacity: true)
        runType = type
      }
      let position = Position(segment.number, place.offset..<place.offset + place.length)
      run.append(IndexedEntry(kind: kind, id: id, position: position))
      rest -= 1
      if rest == 0 { try loadRun() }
    }
  }
}
