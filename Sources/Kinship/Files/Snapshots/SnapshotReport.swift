/// What a snapshot has come to.
public struct SnapshotReport: Sendable {
  /// How many records were written.
  public let records: Int
  /// How many refs were written that are known to name nothing.
  public let missing: Int
  /// The size of the file, in bytes.
  public let size: Int
  /// Why which records were left out: `KinshipError.untranslatable`, with type, id and cause.
  public let failures: [KinshipError]
}
