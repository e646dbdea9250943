extension RecordBlock {
  /// What a block says before its records.
  struct Head {
    /// The place of the first record in the order of use.
    let firstRank: Int
    /// What the ages of the records are counted from, in tenths of a second.
    let baseAge: Int
    let keys: [String]
    /// How many records there should be.
    let count: Int

    /// - Throws: `KinshipError.damaged`.
    init(from reader: inout ByteReader) throws(KinshipError) {
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
  struct Entry {
    /// The number that the file gives its type.
    let type: Int
    /// In tenths of a second.
    let age: Int
    /// The record, as its coder has encoded it.
    let record: UnsafeRawBufferPointer
    /// Whether its checksum is right, or was not looked at.
    let isWhole: Bool

    /// - Throws: `KinshipError.damaged`.
    init(
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
}
