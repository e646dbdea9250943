public import Kinship

/// What was found when a ``FileStore`` was opened.
public struct FileStoreReport: Sendable {
  /// How many records there were.
  public internal(set) var records = 0
  /// Where the log was cut, because what followed had not been written to the end: `nil` if nothing
  /// was cut.
  ///
  /// That is usual after the program or the machine has died. What was cut off was not
  /// acknowledged, or not yet on the disk, as the store's ``FileStore/Durability`` allows.
  public internal(set) var cut: FileDamage?
  /// How many bytes were cut off.
  public internal(set) var cutBytes = 0
  /// What was damaged and left out; always empty unless the store was opened to salvage.
  public internal(set) var damage: [FileDamage] = []
  /// How many segments had to be read whole, because they had no hint that could be used.
  public internal(set) var scannedSegments = 0
}
