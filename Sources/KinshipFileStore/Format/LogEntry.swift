internal import Kinship

/// An entry of a commit: a record that was put, or one that was deleted.
///
/// | part | is |
/// | --- | --- |
/// | 1 byte | 3 for put, 2 for deleted; 1 for put as it was once written |
/// | varint | the number of the type |
/// | bytes | the id: a byte that says how it is encoded, and the rest (``IDCoding``) |
/// | varint, bytes | the record, by its coder: put only |
/// | 4 bytes | a checksum: put only |
///
/// The checksum is the CRC-32C of all bytes before it, of the number of the segment in 4 bytes, and
/// of the entry's offset in the file in 8. A put record is read by its position alone. So it
/// contains its type and id, and its checksum covers its contents and its place: an earlier version
/// of the record cannot pass for a later one. In the old form (1), the checksum covers the contents
/// only.
struct LogEntry {
  enum Kind: UInt8 {
    case put = 1
    case deleted = 2
  }

  /// The kind of a put record whose checksum covers its bytes alone.
  private static let unplaced: UInt8 = 1
  /// The kind of a put record whose checksum covers its place as well.
  static let placed: UInt8 = 3

  static let minimumSize = 4

  let kind: Kind
  let type: Int
  let id: UnsafeRawBufferPointer
  /// The record's bytes; empty if it was deleted.
  let record: UnsafeRawBufferPointer

  /// Reads an entry, and verifies its checksum, which covers the number of its segment.
  ///
  /// Pass `nil` as the segment if an enclosing checksum was verified.
  init(from reader: inout ByteReader, checkedIn segment: UInt32?) throws(KinshipError) {
    let (start, place) = (reader.offset, reader.position)
    let tag = try reader.read(UInt8.self)
    switch tag {
    case Self.placed, Self.unplaced: kind = .put
    case Kind.deleted.rawValue: kind = .deleted
    default: throw reader.damage("an entry has an unknown kind")
    }
    type = try reader.readNumber()
    let idStart = reader.offset
    try IDForm.skip(&reader)
    id = reader.bytes(from: idStart)
    guard kind == .put else {
      record = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    record = try reader.read(try reader.readCount())
    let bytes = reader.bytes(from: start)
    let checksum = try reader.read(UInt32.self)
    guard let segment else { return }
    let expected =
      tag == Self.placed
      ? Self.proof(of: bytes, at: place, in: segment) : CRC32C.checksum(of: bytes)
    guard checksum == expected else { throw reader.damage("the checksum of a record is wrong") }
  }

  /// Appends an entry; a put entry gets its checksum later, when its place is known.
  static func append(
    _ kind: Kind, type: Int, id: [UInt8], record: [UInt8],
    to bytes: inout [UInt8]
  ) {
    bytes.append(kind == .put ? placed : kind.rawValue)
    bytes.append(varint: type)
    bytes.append(contentsOf: id)
    guard kind == .put else { return }
    bytes.append(varint: record.count)
    bytes.append(contentsOf: record)
    bytes.append(littleEndian: UInt32(0))
  }

  /// Adds the checksum to a put entry in some bytes; `place` is its offset in the file.
  static func prove(
    _ entry: Range<Int>, in bytes: inout [UInt8], at place: Int, of segment: UInt32
  ) {
    let checksum = entry.upperBound - MemoryLayout<UInt32>.size
    let proof = bytes.withUnsafeBytes { bytes in
      Self.proof(
        of: UnsafeRawBufferPointer(rebasing: bytes[entry.lowerBound..<checksum]), at: place,
        in: segment)
    }
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: proof.littleEndian, toByteOffset: checksum, as: UInt32.self)
    }
  }

  /// The checksum of a put entry, from the bytes before it and the offset of the entry in the file.
  static func proof(
    of bytes: UnsafeRawBufferPointer, at place: Int, in segment: UInt32
  ) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(bytes)
    withUnsafeBytes(of: segment.littleEndian) { checksum.update($0) }
    withUnsafeBytes(of: UInt64(place).littleEndian) { checksum.update($0) }
    return checksum.checksum
  }
}

extension Frame {
  /// Calls a closure with each entry of a commit, and its position.
  ///
  /// The checksum of each record is verified as well if it `isChecked`.
  func forEachEntry(
    in segment: UInt32, isChecked: Bool,
    _ body: (LogEntry, Position) throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try read { reader throws(KinshipError) in
      for _ in 0..<(try CommitHead(from: &reader).count) {
        let start = reader.position
        let entry = try LogEntry(from: &reader, checkedIn: isChecked ? segment : nil)
        try body(entry, Position(segment, start..<reader.position))
      }
      try reader.finish()
    }
  }
}

/// An entry that was read from the log, to be rewritten.
struct FoundEntry {
  let kind: LogEntry.Kind
  let type: Int
  let id: [UInt8]
  let record: [UInt8]
  let position: Position

  init(_ entry: LogEntry, at position: Position) {
    (kind, type) = (entry.kind, entry.type)
    (id, record) = (Array(entry.id), Array(entry.record))
    self.position = position
  }

  /// The entries of a commit; none of another frame.
  static func all(in frame: Frame, of segment: LogSegment) throws(KinshipError) -> [FoundEntry] {
    var entries: [FoundEntry] = []
    guard frame.kind == LogFrame.commit else { return entries }
    // A rewritten entry gets a new checksum, which would hide that this one is wrong.
    try frame.forEachEntry(in: segment.number, isChecked: true) { entry, position in
      entries.append(FoundEntry(entry, at: position))
    }
    return entries
  }
}

/// The location of an entry in the log: its segment, its offset and its length in bytes.
struct Position: Hashable, Sendable {
  let segment: UInt32
  let offset: UInt32
  let length: UInt32
}

extension Position {
  /// The position of an entry in a range from an offset of a segment.
  init(_ segment: UInt32, _ entry: Range<Int>, from offset: Int = 0) {
    // A segment ends long before a commit could exceed 32 bits.
    self.init(
      segment: segment, offset: UInt32(clamping: offset + entry.lowerBound),
      length: UInt32(clamping: entry.count))
  }
}

extension Position: Comparable {
  static func < (left: Position, right: Position) -> Bool {
    (left.segment, left.offset) < (right.segment, right.offset)
  }
}
