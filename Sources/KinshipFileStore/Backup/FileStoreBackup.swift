/// What a backup of a ``FileStore`` has copied.
public struct FileStoreBackup: Hashable, Sendable {
  /// How many segments of the log were copied, whole or in part.
  public internal(set) var copiedSegments = 0
  /// How many segments the backup had already.
  public internal(set) var reusedSegments = 0
  /// How many bytes were copied.
  public internal(set) var copiedBytes = 0
  /// How many bytes the backup had already.
  public internal(set) var reusedBytes = 0
}
