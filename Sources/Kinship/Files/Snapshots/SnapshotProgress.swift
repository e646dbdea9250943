/// The progress of writing or restoring a snapshot.
public struct SnapshotProgress: Hashable, Sendable {
  /// The completed amount: records of a snapshot that is written, bytes of one that is restored.
  public let completed: Int
  /// The total amount; at least 1.
  public let total: Int
}
