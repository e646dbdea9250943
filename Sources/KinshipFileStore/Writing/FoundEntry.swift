internal import Kinship

/// An entry of a commit in the log.
struct FoundEntry {
  let kind: LogEntry.Kind
  let type: Int
  let id: [UInt8]
  let record: [UInt8]
  let position: Position

  /// The entries of a commit.
  ///
  /// - Throws: `KinshipError.damaged`.
  static func all(in frame: Frame, of segment: LogSegment) throws(KinshipError) -> [FoundEntry] {
    guard frame.kind == LogFrame.commit, !frame.isDamaged else { return [] }
    return try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      var reader = ByteReader(bytes, of: segment.path, at: frame.payloadOffset)
      let head = try CommitHead(from: &reader)
      var entries: [FoundEntry] = []
      for _ in 0..<head.count {
        let start = reader.offset
        // A rewritten entry gets a new checksum, which would hide that this one is wrong.
        let entry = try LogEntry(from: &reader, checkedIn: segment.number)
        entries.append(
          FoundEntry(
            kind: entry.kind, type: entry.type, id: Array(entry.id),
            record: Array(entry.record),
            position: Position(
              segment.number, start..<reader.offset, from: frame.payloadOffset)))
      }
      return entries
    }
  }
}
