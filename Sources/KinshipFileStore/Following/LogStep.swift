internal import Kinship

/// The commits to a log since it was last read.
struct LogStep {
  /// An entry, without its record.
  private struct Change {
    let kind: LogEntry.Kind
    let type: TypeNumber
    let id: [UInt8]
    let position: Position
  }

  /// The numbers of all current segments.
  let numbers: Set<UInt32>
  /// The log after these commits.
  var log = FollowedLog()
  private var segments: [(segment: LogSegment, size: Int)] = []
  private var growth: [UInt32: Int] = [:]
  private var vocabularies: [(segment: LogSegment, vocabulary: Vocabulary)] = []
  private var decoders: [UInt32: any RecordDecoder] = [:]
  private var changes: [Change] = []

  init(numbers: Set<UInt32>) { self.numbers = numbers }

  /// Whether anything was committed.
  var isEmpty: Bool { growth.isEmpty && segments.isEmpty }

  /// Adds a segment.
  mutating func add(_ segment: LogSegment, size: Int) { segments.append((segment, size)) }

  /// Reads the commits of a segment after the part that was read, up to the first incomplete one.
  ///
  /// - Returns: Whether they continue that part.
  /// - Throws: `KinshipError`.
  mutating func read(
    _ contents: inout SegmentContents, to end: Int, _ environment: LogEnvironment
  ) throws(KinshipError) -> Bool {
    let (segment, first) = (contents.segment, contents.end)
    var reader = FrameReader(
      segment.file, path: segment.path, from: first, to: end, salvages: true)
    while let frame = try reader.next() {
      let start = frame.payloadOffset - FrameHeader.size
      guard start == contents.end, !frame.isDamaged, frame.kind == LogFrame.commit else { break }
      let head = try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
        var reader = ByteReader(bytes, of: segment.path, at: frame.payloadOffset)
        return try CommitHead(from: &reader)
      }
      guard head.sequence == contents.sequence + 1, contents.vocabulary.canGrow(by: head.growth)
      else { return false }
      try contents.vocabulary.grow(by: head.growth) { declaration throws(KinshipError) in
        try environment.migrations.resolve(declaration, in: environment.schema)
      }
      for entry in try FoundEntry.all(in: frame, of: segment) {
        guard contents.vocabulary.types.indices.contains(entry.type) else { return false }
        // Skip records of a type that was removed from the schema.
        guard let type = contents.vocabulary.types[entry.type].number else { continue }
        changes.append(
          Change(kind: entry.kind, type: type, id: entry.id, position: entry.position))
      }
      contents.sequence = head.sequence
      contents.end = reader.offset
      contents.lastCommit = start
    }
    if contents.end > first {
      growth[segment.number] = contents.end - first
      vocabularies.append((segment, contents.vocabulary))
      decoders[segment.number] = contents.makeDecoder()
    }
    return true
  }

  /// Applies the commits to a catalog.
  ///
  /// - Throws: `KinshipError`; then a part of them was applied.
  func apply(to catalog: inout Catalog) throws(KinshipError) {
    for (segment, vocabulary) in vocabularies { segment.vocabulary = vocabulary }
    for (segment, size) in segments { catalog.space.add(segment, size: size) }
    for (number, size) in growth { catalog.space.grow(number, by: size) }
    for type in Set(changes.map(\.type)) { catalog.locations[type].forgetIndexes() }
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
