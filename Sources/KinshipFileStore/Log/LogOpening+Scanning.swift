internal import Kinship

extension LogOpening {
  /// Reads the commits of a segment from the end of its known contents on.
  ///
  /// An incomplete commit at the end of the last segment was not completely written, unless the
  /// mark, a hint or a later commit proves that it was synced. Then it is damage, as it always is
  /// in other segments.
  mutating func scan(
    _ found: FoundSegment, to end: Int, isLast: Bool, proven: Int,
    into contents: inout SegmentContents
  ) throws(KinshipError) {
    let fault: SegmentContents.Fault
    do throws(KinshipError) {
      guard let found = try contents.read(to: end, environment) else { return }
      fault = found
    } catch .file(.damaged(let damage)) {
      // The frame is intact but invalid, so it is no torn write.
      try report(damage)
      return try scanBehind(found, from: contents.end, to: end, isReported: true, &contents)
    }
    let offset = contents.end
    if isLast, offset >= proven, try !isProven(offset, found, to: end) {
      report.cut = found.damage(at: offset, fault.rawValue)
      report.cutBytes = end - offset
      return
    }
    // The rest of a damaged frame is reported together with it.
    let isReported = fault != .damagedFrame
    if isReported || environment.damage == .refuse {
      try report(found.damage(at: offset, fault.rawValue))
    }
    try scanBehind(found, from: offset, to: end, isReported: isReported, &contents)
  }

  /// Whether a later commit proves that the faulty bytes were synced.
  ///
  /// They may have moved if bytes before them were inserted or removed.
  private func isProven(
    _ offset: Int, _ found: FoundSegment, to end: Int
  ) throws(KinshipError) -> Bool {
    let bytes: [UInt8]
    do {
      bytes = try found.file.readBytes(end - offset, at: offset)
      guard bytes.count == end - offset else {
        throw SystemError(.read, found.file.path, SystemErrorCode.deviceFailed)
      }
    } catch {
      throw .file(.failed(path: found.file.path, cause: error))
    }
    return bytes.withUnsafeBytes { bytes in
      bytes.indices.contains { start in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let header = FrameHeader(displaced: rest), header.kind == LogFrame.commit,
          header.length <= rest.count - FrameHeader.size
        else { return false }
        let payload = UnsafeRawBufferPointer(
          rebasing: rest[FrameHeader.size..<FrameHeader.size + header.length])
        guard header.matches(payload) else { return false }
        var reader = ByteReader(payload, of: found.file.path, at: offset + start)
        return (try? CommitHead(from: &reader)).map { $0.synced > offset } ?? false
      }
    }
  }

  /// Reads the intact commits after damage, which was reported unless it is that of a frame.
  private mutating func scanBehind(
    _ found: FoundSegment, from offset: Int, to end: Int, isReported: Bool,
    _ contents: inout SegmentContents
  ) throws(KinshipError) {
    var reader = FrameReader(found.file, from: offset, to: end, salvages: true)
    while let frame = try reader.next() {
      let isNew = frame.offset != offset || !isReported
      if frame.isDamaged || frame.kind != LogFrame.commit {
        if isNew {
          let rest = frame.kind == LogFrame.commit ? try takeRest(of: frame, &contents) : ""
          try report(found.damage(at: frame.offset, "the checksum of a frame is wrong\(rest)"))
        }
        continue
      }
      do throws(KinshipError) {
        let head = try frame.commitHead()
        guard contents.vocabulary.canGrow(by: head.growth) else {
          throw frame.damage("keys or types before it are missing")
        }
        // It is older than the commits that were read, so it is no part of the log.
        guard head.sequence > contents.sequence else { continue }
        try contents.add(frame, head, environment)
      } catch .file(.damaged(let damage)) {
        if frame.offset != offset { try report(damage) }
      }
    }
    contents.end = end
  }

  /// Takes the valid entries from a commit whose own checksum is wrong, and describes them.
  private func takeRest(
    of frame: Frame, _ contents: inout SegmentContents
  ) throws(KinshipError) -> String {
    try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      let rest = DamagedCommit(bytes, of: frame, in: contents.segment)
      var all: Int?
      if let head = rest.head {
        // It is older than the commits that were read, so it is no part of the log.
        guard head.sequence > contents.sequence else { return "" }
        if contents.vocabulary.canGrow(by: head.growth) {
          try contents.vocabulary.grow(by: head.growth, environment)
          (contents.sequence, all) = (head.sequence, head.count)
        }
      }
      var count = 0
      for place in rest.records + rest.deletions {
        var reader = ByteReader(
          UnsafeRawBufferPointer(rebasing: bytes[place]), of: contents.segment.path,
          at: frame.payloadOffset + place.lowerBound)
        let entry = try LogEntry(from: &reader, checkedIn: nil)
        // The type may have been declared in the damaged part.
        guard contents.vocabulary.types.indices.contains(entry.type) else { continue }
        let position = Position(contents.segment.number, place, from: frame.payloadOffset)
        contents.add(entry, at: position)
        count += 1
      }
      return ", and of its \(all.map { "\($0) changes" } ?? "changes") \(count) are kept"
    }
  }
}
