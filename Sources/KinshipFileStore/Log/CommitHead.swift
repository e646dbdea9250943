internal import Kinship

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
