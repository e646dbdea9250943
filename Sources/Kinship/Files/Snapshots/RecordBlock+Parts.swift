extension RecordBlock {
  /// The header of a block, before its records.
  package struct Head {
    /// The rank of the first record in the recency order.
    let firstRank: Int
    /// The base of the records' ages, in tenths of a second.
    let baseAge: Int
    package let keys: [String]
    /// The expected number of records.
    package let count: Int

    /// - Throws: `KinshipError.file(.damaged)`.
    package init(from reader: inout ByteReader) throws(KinshipError) {
      let start = reader.offset
      firstRank = try reader.readNumber()
      baseAge = try reader.readNumber()
      keys = try reader.readTexts()
      count = try reader.readCount(ofAtLeast: 6)
      let proven = reader.bytes(from: start)
      guard try reader.read(UInt32.self) == CRC32C.checksum(of: proven) else {
        throw reader.damage("the checksum of the bytes before the records is wrong")
      }
    }
  }

  /// A record of a block, still encoded.
  package struct EncodedRecord {
    /// The number of its type in the file.
    package let type: Int
    /// The age in tenths of a second.
    package let age: Int
    /// The record's encoded bytes.
    package let record: UnsafeRawBufferPointer
    /// Whether its checksum is right, or was not checked.
    package let isIntact: Bool

    /// - Throws: `KinshipError.file(.damaged)`.
    package init(
      from reader: inout ByteReader, in head: Head, isChecked: Bool
    ) throws(KinshipError) {
      let start = reader.offset
      let flagged = try reader.readNumber()
      type = flagged >> 1
      let difference = flagged & 1 == 0 ? 0 : Int(clamping: Int64(zigzag: try reader.readVarint()))
      record = try reader.read(try reader.readCount())
      age = max(0, head.baseAge &+ difference)
      let proven = reader.bytes(from: start)
      let checksum = try reader.read(UInt32.self)
      isIntact = !isChecked || CRC32C.checksum(of: proven) == checksum
    }
  }

  /// The records of a block while it is built.
  package struct Body {
    private var bytes: [UInt8] = []
    package private(set) var count = 0
    private var firstRank = 0
    private var baseAge = 0

    package init() {}

    /// The number of bytes of the records.
    var size: Int { bytes.count }

    /// Adds an encoded record, whose age is in tenths of a second.
    ///
    /// The rank in the recency order only counts for the first record.
    package mutating func append(_ record: [UInt8], type: Int, rank: Int, age: Int) {
      if count == 0 { (firstRank, baseAge) = (rank, age) }
      let start = bytes.count
      bytes.append(varint: type << 1 | (age == baseAge ? 0 : 1))
      if age != baseAge { bytes.append(varint: Int64(age - baseAge).zigzag) }
      bytes.append(varint: record.count)
      bytes.append(contentsOf: record)
      let checksum = bytes.withUnsafeBytes {
        CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      bytes.append(littleEndian: checksum)
      count += 1
    }

    /// The bytes of the block, whose records have some keys in common.
    package func payload(keys: [String]) -> [UInt8] {
      var payload: [UInt8] = []
      payload.append(varint: firstRank)
      payload.append(varint: baseAge)
      payload.append(texts: keys)
      payload.append(varint: count)
      payload.append(littleEndian: CRC32C.checksum(of: payload))
      payload.append(contentsOf: bytes)
      return payload
    }
  }
}
