internal import Kinship

extension LogOpening {
  mutating func load(
    _ found: FoundSegment, before next: FoundSegment?, after sequence: UInt64?,
    in directory: any Directory
  ) throws -> LoadedSegment {
    var end = next?.start?.previousEnd ?? found.size
    if end > found.size || end > UInt32.max {
      try report(found.damage(at: found.size, "it ends too early"))
      end = min(found.size, Int(UInt32.max))
    }
    if let sequence, let start = found.start, start.firstSequence != sequence + 1 {
      try report(found.damage(at: FileHeader.size, "commits before it are missing"))
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
    let hint = try hint(of: found, in: directory)
    if let hint { catalog.change { $0.space.describe(found.number, by: hint.size) } }
    let proven = max(hint?.hint.end ?? 0, markedEnd(of: found))
    if proven > end { try report(found.damage(at: end, "it ends too early")) }
    // If the file is longer than expected, bytes may have been inserted before its end as well.
    let isAsLeft = next == nil ? hint?.hint.end == found.size : found.size == end
    var hintEnd: Int?
    if isAsLeft, let hint = hint?.hint, hint.end <= end {
      try contents.take(hint, environment)
      hintEnd = hint.end
    }
    if contents.end < end {
      try scan(found, to: end, isLast: next == nil, proven: proven, into: &contents)
    }
    segment.vocabulary = contents.vocabulary
    let read = contents
    try catalog.change { catalog throws(KinshipError) in
      catalog.space.grow(found.number, by: read.end)
      try catalog.load(read)
    }
    if hintEnd == nil { report.scannedSegments += 1 }
    return LoadedSegment(
      found: found, contents: contents, hintEnd: hintEnd, isLast: next == nil)
  }

  /// Cuts off bytes that are no part of a segment, and writes a missing hint.
  func repairTail(_ loaded: LoadedSegment, in directory: any Directory) throws(SystemError) {
    let (found, contents) = (loaded.found, loaded.contents)
    if found.fileSize > contents.end { try found.file.truncate(to: contents.end) }
    if loaded.isLast {
      guard loaded.hintEnd != contents.end || found.fileSize > contents.end else { return }
      // Its bytes may be in the system's cache only.
      try found.file.sync()
    } else if loaded.hintEnd != contents.end, found.start != nil {
      do {
        try Hint(of: contents.segment, to: contents.end, contents.sequence, contents.entries)
          .write(in: directory, catalog)
      } catch {
        // Without a hint, the segment is read the next time as well.
        let error = KinshipError.of(error, path: environment.path)
        catalog.change { $0.tally.failure = error }
      }
    }
  }

  /// The end of the synced part of a segment, by the mark.
  private func markedEnd(of found: FoundSegment) -> Int {
    guard let mark, let start = found.start, mark.number == found.number,
      mark.identity == start.identity
    else { return 0 }
    return mark.end
  }

  /// The hint of a segment and its size, if there is a usable one.
  private func hint(
    of found: FoundSegment, in directory: any Directory
  ) throws(SystemError) -> (hint: Hint, size: Int)? {
    guard let start = found.start, backup == nil else { return nil }
    let largest = FileHeader.size + FrameHeader.size + FrameHeader.maximumLength
    let name = SegmentName.hint(found.number)
    guard let bytes = try directory.bytes(of: name, atMost: largest) else { return nil }
    let path = "\(directory.path)/\(name)"
    let hint: Hint
    do { hint = try Hint(bytes, path: path) } catch { return nil }
    guard hint.number == found.number, hint.identity == start.identity,
      isSound(hint, path, from: found.firstCommit)
    else { return nil }
    return (hint, bytes.count)
  }

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
          throw .damage(to: path, at: 0, "an entry is invalid")
        }
      }
      return true
    } catch { return false }
  }
}
