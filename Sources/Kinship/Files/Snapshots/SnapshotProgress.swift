/// How far a snapshot has been written, or restored.
public struct SnapshotProgress: Hashable, Sendable {
  /// How much is done: records of a snapshot that is written, bytes of one that is restored.
  public let completed: Int
  /// How much there is; at least 1.
  public let total: Int
}
