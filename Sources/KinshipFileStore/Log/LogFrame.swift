/// What the frames of a store's files are.
enum LogFrame {
  /// The first frame of a segment: ``SegmentStart``.
  static let start: UInt8 = 0x10
  /// A commit: ``CommitHead`` and its entries.
  static let commit: UInt8 = 0x11
  /// All of a hint: ``Hint``.
  static let hint: UInt8 = 0x12
  /// All of a mark: ``LogMark``.
  static let mark: UInt8 = 0x13
  /// All of what a backup says of itself: ``BackupManifest``.
  static let backup: UInt8 = 0x14
}
