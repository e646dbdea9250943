extension RecordBlock {
  /// What a block says before its records.
  package struct Head {
    /// The place of the first record in the order of use.
    let firstRank: Int
    /// What the ages of the records are counted from, in tenths of a second.
    let baseAge: Int
    package let keys: [String]
    /// How many records there should be.
    package let count: Int

    /// - Throws: `KinshipError.damaged`.
    package init(from reader: inout ByteReader) throws(KinshipError) {
      let start = reader.offset
      firstRank = try reader.readNumber()
      baseAge = try reader.readNumber()
      keys = try reader.readTexts()
      count = try reader.readCount(ofAtLeast: 6)
      let proven = reader.bytes(from: start)
      guard try reader.read(UInt32.self) == CRC32C.checksum(of: proven) else {
        throw reader.damage("the checksum of what comes before records is wrong")
      }
    }
  }

  /// A record of a block, as it lies there.
  package struct Entry {
    /// The number that the file gives its type.
    package let type: Int
    /// In tenths of a second.
    package let age: Int
    /// The record, as its coder has encoded it.
    package let record: UnsafeRawBufferPointer
    /// Whether its checksum is right, or was not looked at.
    package let isWhole: Bool

    /// - Throws: `KinshipError.damaged`.
    package init(
      from reader: inout ByteReader, in head: Head, isChecked: Bool
    ) throws(KinshipError) {
      let start = reader.offset
      let flagged = try reader.readNumber()
      type = flagged >> 1
      let difference = flagged & 1 == 0 ? 0 : RecordBlock.unzigzag(try reader.readVarint())
      record = try reader.read(try reader.readCount())
      age = max(0, head.baseAge &+ difference)
      let proven = reader.bytes(from: start)
      let checksum = try reader.read(UInt32.self)
      isWhole = !isChecked || CRC32C.checksum(of: proven) == checksum
    }
  }

  /// The records of a block that is being made.
  package struct Body {
    private var bytes: [UInt8] = []
    package private(set) var count = 0
    private var firstRank = 0
    private var baseAge = 0

    package init() {}

    /// How many bytes the records take.
    var size: Int { bytes.count }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - record: The record, as its coder has encoded it.
    ///   - type: The number that the file gives its type.
    ///   - rank: Its place in the order of use, which counts for the first one.
    ///   - age: Its age, in tenths of a second.
    package mutating func append(_ record: [UInt8], type: Int, rank: Int, age: Int) {
      if count == 0 { (firstRank, baseAge) = (rank, age) }
      let start = bytes.count
      bytes.append(varint: type << 1 | (age == baseAge ? 0 : 1))
      if age != baseAge { bytes.append(varint: zigzag(age - baseAge)) }
      bytes.append(varint: record.count)
      bytes.append(contentsOf: record)
      let checksum = bytes.withUnsafeBytes {
        CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      bytes.append(littleEndian: checksum)
      count += 1
    }

    /// The block, whose records have some keys in common.
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
