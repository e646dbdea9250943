extension LogOpening {
  /// Loads a segment.
  ///
  /// - Parameters:
  ///   - found: The segment.
  ///   - sealedEnd: Where the segment after it says that it ends; `nil` for the last one.
  ///   - sequence: The sequence number of the last commit before it.
  ///   - directory: Where it is.
  /// - Returns: What was loaded.
  /// - Throws: `SystemError` and `KinshipError`.
  mutating func load(
    _ found: FoundSegment, to sealedEnd: Int?, after sequence: UInt64?,
    in directory: any Directory
  ) throws -> SegmentContents {
    for damage in found.damage { try note(damage) }
    var end = sealedEnd ?? found.size
    if end > found.size || end > UInt32.max {
      try note(damage(found, at: found.size, "it ends too early"))
      end = min(found.size, Int(UInt32.max))
    }
    if let sequence, let start = found.start, start.firstSequence != sequence + 1 {
      try note(damage(found, at: FileHeader.size, "commits before it are missing"))
    }
    let coder =
      try found.start.map { start throws(KinshipError) in
        try CoderTable.coder(start.coder, given: environment.coder, path: found.file.path)
      } ?? environment.coder
    let segment = LogSegment(
      number: found.number, identity: found.start?.identity ?? 0, file: found.file, coder: coder)
    catalog.change { $0.space.add(segment, size: 0) }
    let first = (found.start?.firstSequence ?? 1) - 1
    var contents = SegmentContents(segment, sequence: first, end: found.firstCommit)
    let hintEnd = try loadHint(of: found, to: end, into: &contents, in: directory)
    if contents.end < end {
      try scan(found, to: end, isLast: sealedEnd == nil, into: &contents)
    }
    segment.vocabulary = contents.vocabulary
    let size = contents.end
    catalog.change { $0.space.grow(found.number, by: size) }
    if found.size > contents.end { try found.file.truncate(to: contents.end) }
    if hintEnd == nil { report.scannedSegments += 1 }
    if sealedEnd == nil, hintEnd != contents.end || found.size > contents.end {
      // It may be in the memory of the system alone.
      try found.file.sync()
    } else if sealedEnd != nil, hintEnd != contents.end, found.start != nil {
      let hint = Hint(
        number: found.number, identity: segment.identity, end: contents.end,
        lastSequence: contents.sequence, vocabulary: contents.vocabulary.whole,
        entries: contents.entries
      ).bytes
      try FileReplacement.replace(SegmentName.hint(found.number), in: directory, with: hint)
      catalog.change { $0.space.describe(found.number, by: hint.count) }
    }
    return contents
  }

  func damage(_ found: FoundSegment, at offset: Int, _ cause: String) -> FileDamage {
    FileDamage(file: found.file.path, offset: offset, cause: cause)
  }

  /// Loads what a segment's hint says, if there is one that can be used.
  ///
  /// - Returns: Up to where the hint says what there is; `nil` if it cannot be used.
  /// - Throws: `SystemError`, and `KinshipError.damaged` if the segment is shorter than what was synced.
  private mutating func loadHint(
    of found: FoundSegment, to end: Int, into contents: inout SegmentContents,
    in directory: any Directory
  ) throws -> Int? {
    guard let start = found.start else { return nil }
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try directory.open(SegmentName.hint(found.number), .read)
      let largest = FileHeader.size + FrameHeader.size + FrameHeader.maximumLength
      bytes = try file.readBytes(min(try file.size(), largest), at: 0)
    } catch {
      if error.code == SystemErrorCode.missing { return nil }
      throw error
    }
    let path = "\(directory.path)/\(SegmentName.hint(found.number))"
    let hint: Hint
    do { hint = try Hint(bytes, path: path) } catch { return nil }
    guard hint.number == found.number, hint.identity == start.identity else { return nil }
    guard hint.end <= end else {
      try note(damage(found, at: end, "it ends too early"))
      return nil
    }
    guard isSound(hint, path, from: found.firstCommit) else { return nil }
    try grow(&contents, by: hint.vocabulary)
    try hint.entries.forEach(path: path) { kind, type, id, place throws(KinshipError) in
      let entry = place.offset..<place.offset + place.length
      try take(kind, type, id, entry, into: &contents)
    }
    contents.entries = hint.entries
    contents.sequence = hint.lastSequence
    contents.end = hint.end
    catalog.change { $0.space.describe(found.number, by: bytes.count) }
    return hint.end
  }

  /// Whether all that a hint says makes sense.
  private func isSound(_ hint: Hint, _ path: String, from first: Int) -> Bool {
    guard hint.vocabulary.firstKey == 0, hint.vocabulary.firstType == 0, hint.end >= first else {
      return false
    }
    do {
      try hint.entries.forEach(path: path) { kind, type, _, place throws(KinshipError) in
        let isInside =
          kind == .deleted
          || (place.offset >= first && place.offset <= hint.end
            && place.length <= hint.end - place.offset)
        guard isInside, hint.vocabulary.types.indices.contains(type) else {
          throw .damaged(FileDamage(file: path, offset: 0, cause: "an entry makes no sense"))
        }
      }
      return true
    } catch { return false }
  }

  /// Adds keys and types.
  func grow(
    _ contents: inout SegmentContents, by growth: VocabularyGrowth
  ) throws(KinshipError) {
    try contents.vocabulary.grow(by: growth) { declaration throws(KinshipError) in
      try environment.migrations.resolve(declaration, in: environment.schema)
    }
  }

  /// Takes in an entry.
  func take(
    _ kind: LogEntry.Kind, _ type: Int, _ id: UnsafeRawBufferPointer, _ entry: Range<Int>,
    into contents: inout SegmentContents
  ) throws(KinshipError) {
    // Records of a type that was removed are left out.
    guard let shelf = contents.vocabulary.types[type].number else { return }
    let number = contents.segment.number
    try catalog.change { catalog throws(KinshipError) in
      try catalog.shelves[shelf].load(
        kind, id: id, at: Position(number, entry, from: 0), by: { contents.makeDecoder() },
        &catalog.space)
    }
  }
}
