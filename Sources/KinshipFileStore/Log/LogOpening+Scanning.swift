internal import Kinship

extension LogOpening {
  private struct Fault {
    let offset: Int
    let cause: String
    /// Whether there is a frame with an intact header, so that the rest of the frame is reported
    /// too.
    var isFrame = false
  }

  /// Reads the commits of a segment from the end of its known contents on.
  ///
  /// An incomplete commit at the end of the last segment was not completely written, unless the
  /// mark, a hint or a later commit proves that it was synced. Then it is damage, as it always is
  /// in other segments.
  mutating func scan(
    _ found: FoundSegment, to end: Int, isLast: Bool, proven: Int,
    into contents: inout SegmentContents
  ) throws(KinshipError) {
    let fault: Fault
    do throws(KinshipError) {
      guard let found = try scanToFault(found, to: end, &contents) else { return }
      fault = found
    } catch .file(.damaged(let damage)) {
      // The frame is intact but invalid, so it is no torn write.
      try report(damage)
      try scanBehind(
        Fault(offset: contents.end, cause: damage.cause), found, to: end, &contents)
      return
    }
    if isLast, fault.offset >= proven, try !isProven(fault, found, to: end) {
      report.cut = found.damage(at: fault.offset, fault.cause)
      report.cutBytes = end - fault.offset
      return
    }
    if !fault.isFrame || environment.damage == .refuse {
      try report(found.damage(at: fault.offset, fault.cause))
    }
    try scanBehind(fault, found, to: end, &contents)
  }

  private mutating func scanToFault(
    _ found: FoundSegment, to end: Int, _ contents: inout SegmentContents
  ) throws(KinshipError) -> Fault? {
    var reader = reader(found, from: contents.end, to: end)
    while let frame = try reader.next() {
      let start = frame.offset
      guard start == contents.end else { break }
      if frame.isDamaged {
        return Fault(offset: start, cause: "the checksum of a frame is wrong", isFrame: true)
      }
      let head = try head(of: frame)
      guard head.sequence == contents.sequence &+ 1 else {
        return Fault(offset: start, cause: "commits are missing")
      }
      guard contents.vocabulary.canGrow(by: head.growth) else {
        throw frame.damage("keys or types are missing")
      }
      try load(frame, into: &contents)
      contents.sequence = head.sequence
      contents.end = reader.offset
      contents.lastCommit = start
    }
    return contents.end == end ? nil : Fault(offset: contents.end, cause: "a frame is missing")
  }

  /// Whether a later commit proves that the faulty bytes were synced.
  ///
  /// They may have moved if bytes before them were inserted or removed.
  private func isProven(
    _ fault: Fault, _ found: FoundSegment, to end: Int
  ) throws(KinshipError) -> Bool {
    let bytes: [UInt8]
    do {
      bytes = try found.file.readBytes(end - fault.offset, at: fault.offset)
      guard bytes.count == end - fault.offset else {
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
        var reader = ByteReader(payload, of: found.file.path, at: fault.offset + start)
        return (try? CommitHead(from: &reader)).map { $0.synced > fault.offset } ?? false
      }
    }
  }

  /// Loads the intact commits after damage.
  private mutating func scanBehind(
    _ fault: Fault, _ found: FoundSegment, to end: Int, _ contents: inout SegmentContents
  ) throws(KinshipError) {
    var reader = reader(found, from: fault.offset, to: end)
    while let frame = try reader.next() {
      let start = frame.offset
      if frame.isDamaged || frame.kind != LogFrame.commit {
        if start != fault.offset || fault.isFrame {
          let rest = frame.kind == LogFrame.commit ? try takeRest(of: frame, &contents) : ""
          try report(found.damage(at: start, "the checksum of a frame is wrong\(rest)"))
        }
        continue
      }
      do throws(KinshipError) {
        let head = try head(of: frame)
        guard contents.vocabulary.canGrow(by: head.growth) else {
          throw frame.damage("keys or types before it are missing")
        }
        // It is older than the loaded commits, so it is no part of the log.
        guard head.sequence > contents.sequence else { continue }
        try load(frame, into: &contents)
        contents.sequence = head.sequence
      } catch .file(.damaged(let damage)) {
        if start != fault.offset { try report(damage) }
      }
    }
    contents.end = end
  }

  private func reader(_ found: FoundSegment, from start: Int, to end: Int) -> FrameReader {
    FrameReader(found.file, from: start, to: end, salvages: true)
  }

  private func head(of frame: Frame) throws(KinshipError) -> CommitHead {
    guard frame.kind == LogFrame.commit else { throw frame.damage("a frame has an unknown kind") }
    return try frame.read(CommitHead.init(from:))
  }

  private func load(
    _ frame: Frame, into contents: inout SegmentContents
  ) throws(KinshipError) {
    try contents.vocabulary.grow(by: head(of: frame).growth, environment)
    try frame.forEachEntry(in: contents.segment.number, isChecked: false) {
      entry, position throws(KinshipError) in
      _ = try contents.segment.type(entry.type, in: contents.vocabulary, at: position)
      try load(entry, at: position, into: &contents)
    }
  }

  private func load(
    _ entry: LogEntry, at position: Position, into contents: inout SegmentContents
  ) throws(KinshipError) {
    let indexed = IndexedEntry(kind: entry.kind, id: entry.id, position: position)
    try catalog.change { catalog throws(KinshipError) in
      try load([indexed], of: entry.type, into: &contents, &catalog)
    }
    contents.entries.append(
      entry.kind, type: entry.type, id: entry.id, offset: Int(position.offset),
      length: Int(position.length))
  }

  /// Loads the valid entries from a commit whose own checksum is wrong, and describes them.
  private func takeRest(
    of frame: Frame, _ contents: inout SegmentContents
  ) throws(KinshipError) -> String {
    try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      let rest = DamagedCommit(bytes, of: frame, in: contents.segment)
      var all: Int?
      if let head = rest.head {
        // It is older than the loaded commits, so it is no part of the log.
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
        try load(entry, at: position, into: &contents)
        count += 1
      }
      return ", and of its \(all.map { "\($0) changes" } ?? "changes") \(count) are kept"
    }
  }
}
