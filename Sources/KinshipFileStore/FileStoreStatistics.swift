public import Kinship

/// How much there is in a ``FileStore``, and what it has done since it was opened.
public struct FileStoreStatistics: Sendable {
  /// The number of records.
  public let records: Int
  /// The bytes of all records as they are in the log.
  public let liveBytes: Int
  /// The bytes of all files.
  public let totalBytes: Int
  /// The number of segments of the log.
  public let segments: Int
  /// How many change sets were committed.
  public let commits: Int
  /// How often a commit, or several together, were waited for to be on the disk.
  public let syncs: Int
  /// How many records were written again so that what is outdated could be removed.
  public let movedRecords: Int
  /// What has failed last that nobody had waited for, such as compaction; `nil` if nothing has.
  public let backgroundFailure: KinshipError?
}
