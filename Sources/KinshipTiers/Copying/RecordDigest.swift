internal import Kinship

/// The number of records of a type, and a digest of their values.
///
/// The digest does not depend on the order of the records: it is the sum of a hash of the JSON of
/// each with sorted keys, which is the same in any process.
public struct RecordDigest: Codable, Hashable, Sendable {
  /// The name of the type.
  public let type: String
  /// The number of records.
  public private(set) var count = 0
  /// The sum of their hashes.
  public private(set) var sum: UInt64 = 0

  init(of type: any GraphRecord.Type) { self.type = type.recordName }

  mutating func add(_ bytes: [UInt8]) {
    count += 1
    sum &+= Self.hash(bytes)
  }

  /// Hashes by FNV-1a, then mixes each bit with all others, so that small changes do not cancel out
  /// in the sum.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
    hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
    return hash ^ (hash >> 31)
  }
}
