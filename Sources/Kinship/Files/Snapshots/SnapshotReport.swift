/// The result of writing a snapshot.
public struct SnapshotReport: Sendable {
  /// The number of written records.
  public let records: Int
  /// The number of written refs that are known to have no record.
  public let missing: Int
  /// The size of the file, in bytes.
  public let size: Int
  /// The errors of the records that were left out: `KinshipError.untranslatable`, with type, id and
  /// cause.
  public let failures: [KinshipError]
}
