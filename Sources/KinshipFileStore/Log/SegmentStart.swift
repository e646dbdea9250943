internal import Kinship

/// The first frame of a segment: its identity, and the end of the segment before.
struct SegmentStart: Equatable, Sendable {
  /// The number of the segment, as in its name.
  let number: UInt32
  /// A random number that ties a hint to its segment.
  let identity: UInt64
  /// The sequence number of its first commit.
  let firstSequence: UInt64
  /// The end of the segment before; bytes after that were never part of the log.
  let previousEnd: Int
  /// The name of the coder of its records.
  let coder: String

  var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(segment: number, identity)
    payload.append(varint: firstSequence)
    payload.append(varint: previousEnd)
    payload.append(text: coder)
    return payload
  }

  init(
    number: UInt32, identity: UInt64, firstSequence: UInt64, previousEnd: Int, coder: String
  ) {
    self.number = number
    self.identity = identity
    self.firstSequence = firstSequence
    self.previousEnd = previousEnd
    self.coder = coder
  }

  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    (number, identity) = try reader.readSegment()
    firstSequence = UInt64(try reader.readNumber())
    guard firstSequence > 0 else { throw reader.damage("commits are counted from 1 on") }
    previousEnd = try reader.readNumber()
    coder = try reader.readText()
    try reader.finish()
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
  /// Appends the identity of a segment.
  mutating func append(segment number: UInt32, _ identity: UInt64) {
    append(varint: UInt64(number))
    append(littleEndian: identity)
  }
}
