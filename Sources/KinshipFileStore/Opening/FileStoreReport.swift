public import Kinship

/// The findings of opening a ``FileStore``.
public struct FileStoreReport: Sendable {
  /// The number of records.
  public internal(set) var records = 0
  /// The place where the log was cut because its last commit was incomplete; `nil` if nothing was
  /// cut.
  ///
  /// A cut is usual after the program or the machine has died. The lost commits were not
  /// acknowledged, or not yet synced, as the store's ``FileStore/Durability`` allows.
  public internal(set) var cut: FileDamage?
  /// The number of bytes that were cut off.
  public internal(set) var cutBytes = 0
  /// The damage that was skipped; always empty unless the store was opened to salvage.
  public internal(set) var damage: [FileDamage] = []
  /// The number of segments that were read completely, because they had no usable hint file.
  public internal(set) var scannedSegments = 0
}
