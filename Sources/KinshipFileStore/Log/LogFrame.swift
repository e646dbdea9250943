/// The kinds of frames in a store's files.
enum LogFrame {
  /// The first frame of a segment: ``SegmentStart``.
  static let start: UInt8 = 0x10
  /// A commit: ``CommitHead`` and its entries.
  static let commit: UInt8 = 0x11
  /// The content of a hint file: ``Hint``.
  static let hint: UInt8 = 0x12
  /// The content of a mark file: ``LogMark``.
  static let mark: UInt8 = 0x13
  /// The content of a backup's manifest: ``BackupManifest``.
  static let backup: UInt8 = 0x14
}
