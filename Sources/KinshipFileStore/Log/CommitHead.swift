internal import Kinship

/// What a commit says before its entries.
struct CommitHead: Equatable, Sendable {
  /// One more than that of the commit before.
  let sequence: UInt64
  /// Up to where the segment was known to be on the disk when this was written.
  ///
  /// What is not whole before that is damage; behind it, it was merely not written to the end.
  let synced: Int
  let growth: VocabularyGrowth
  /// The number of entries.
  let count: Int

  init(sequence: UInt64, synced: Int, growth: VocabularyGrowth, count: Int) {
    self.sequence = sequence
    self.synced = synced
    self.growth = growth
    self.count = count
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: sequence)
    bytes.append(varint: synced)
    growth.write(to: &bytes)
    bytes.append(varint: count)
    return bytes
  }

  /// - Throws: `KinshipError.damaged`.
  init(from reader: inout ByteReader) throws(KinshipError) {
    sequence = UInt64(try reader.readNumber())
    synced = try reader.readNumber()
    growth = try VocabularyGrowth(from: &reader)
    count = try reader.readCount(ofAtLeast: LogEntry.minimumSize)
  }
}
