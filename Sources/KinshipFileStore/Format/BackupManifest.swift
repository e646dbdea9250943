internal import Kinship

/// The segments that make up a backup, and how much of each.
///
/// The file is replaced atomically; that moment turns one backup into the next. Other files in the
/// directory, and bytes of the segments beyond these lengths, are no part of the backup.
struct BackupManifest: Equatable, Sendable {
  /// The part of a segment that belongs to the backup.
  struct Segment: Equatable, Sendable {
    let number: UInt32
    let identity: UInt64
    /// The number of its bytes that belong to the backup.
    let length: Int
  }

  /// The segments, the oldest first; none in a backup that was never finished.
  let segments: [Segment]

  var bytes: [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: segments.count)
    for segment in segments {
      payload.append(segment: segment.number, segment.identity)
      payload.append(varint: segment.length)
    }
    return FileHeader.Kind.backup.file(LogFrame.backup, payload)
  }

  /// The end of the synced log, because all of a backup is synced, unless it was never finished.
  func mark(in directory: any Directory) throws(KinshipError) -> LogMark {
    guard let first = segments.first, let last = segments.last else {
      throw .damage(
        to: "\(directory.path)/\(SegmentName.backup)", at: FileHeader.size,
        "the first backup was not finished")
    }
    return LogMark(
      first: first.number, number: last.number, identity: last.identity, end: last.length)
  }
}

extension BackupManifest {
  init?(in directory: any Directory) throws {
    guard let bytes = try directory.bytes(of: SegmentName.backup) else { return nil }
    let path = "\(directory.path)/\(SegmentName.backup)"
    segments = try FileHeader.Kind.backup.readFile(bytes, LogFrame.backup, path: path) {
      reader throws(KinshipError) in
      var segments: [Segment] = []
      for _ in 0..<(try reader.readCount()) {
        let (number, identity) = try reader.readSegment()
        segments.append(
          Segment(number: number, identity: identity, length: try reader.readNumber()))
      }
      return segments
    }
  }
}
