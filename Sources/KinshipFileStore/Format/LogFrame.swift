internal import Kinship

/// The kinds of frames in a store's files.
enum LogFrame {
  /// The first frame of a segment: ``SegmentStart``.
  static let start: UInt8 = 0x10
  /// A commit: ``CommitHead`` and its entries.
  static let commit: UInt8 = 0x11
  /// The content of a hint file: ``Hint``.
  static let hint: UInt8 = 0x12
  /// The content of a mark file: ``LogMark``.
  static let mark: UInt8 = 0x13
  /// The content of a backup's manifest: ``BackupManifest``.
  static let backup: UInt8 = 0x14
}

/// The first frame of a segment: its identity, and the end of the segment before.
struct SegmentStart: Equatable, Sendable {
  let number: UInt32
  /// A random number that ties a hint to its segment.
  let identity: UInt64
  let firstSequence: UInt64
  /// The end of the segment before; bytes after that were never part of the log.
  let previousEnd: Int
  let coder: String

  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(segment: number, identity)
    payload.append(varint: firstSequence)
    payload.append(varint: previousEnd)
    payload.append(text: coder)
    return payload
  }
}

extension SegmentStart {
  init(from reader: inout ByteReader) throws(KinshipError) {
    (number, identity) = try reader.readSegment()
    firstSequence = UInt64(try reader.readNumber())
    guard firstSequence > 0 else { throw reader.damage("commits are counted from 1 on") }
    previousEnd = try reader.readNumber()
    coder = try reader.readText()
    try reader.finish()
  }

  static func read(
    _ frames: inout FrameReader, path: String
  ) throws(KinshipError) -> SegmentStart {
    guard let frame = try frames.next(), frame.kind == LogFrame.start else {
      throw .damage(to: path, at: FileHeader.size, "the segment has no start")
    }
    return try frame.read(SegmentStart.init(from:))
  }
}

extension ByteReader {
  /// Reads the identity of a segment: its number, and the random number that is unique to it.
  mutating func readSegment() throws(KinshipError) -> (number: UInt32, identity: UInt64) {
    guard let number = UInt32(exactly: try readNumber()) else {
      throw damage("the number of a segment is too large")
    }
    return (number, try read(UInt64.self))
  }
}

extension [UInt8] {
  mutating func append(segment number: UInt32, _ identity: UInt64) {
    append(varint: UInt64(number))
    append(littleEndian: identity)
  }
}

/// The header of a commit, before its entries.
struct CommitHead: Equatable, Sendable {
  /// The sequence number: one more than that of the commit before.
  let sequence: UInt64
  /// The end of the synced part of the segment when this commit was written.
  ///
  /// An incomplete frame before that offset is damage; after it, the frame was not completely
  /// written.
  let synced: Int
  let growth: VocabularyGrowth
  let count: Int

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: sequence)
    bytes.append(varint: synced)
    growth.write(to: &bytes)
    bytes.append(varint: count)
    return bytes
  }
}

extension CommitHead {
  init(from reader: inout ByteReader) throws(KinshipError) {
    sequence = UInt64(try reader.readNumber())
    synced = try reader.readNumber()
    growth = try VocabularyGrowth(from: &reader)
    count = try reader.readCount(ofAtLeast: LogEntry.minimumSize)
  }
}
