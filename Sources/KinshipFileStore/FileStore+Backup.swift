package import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FileStore {
  /// Makes a backup in another directory, or updates the one that is there.
  ///
  /// ```swift
  /// let backup = try await store.backup(to: directory)
  /// print("\(backup.copiedBytes) bytes are new, \(backup.reusedBytes) were there.")
  /// ```
  ///
  /// The backup holds one state of the store: that after the last commit when the backup begins.
  /// Others read and commit meanwhile. Only data that the backup does not have is copied. If the
  /// call or the machine fails at any moment, the directory holds the previous backup or the new
  /// one; before the first one is finished, it holds none.
  ///
  /// To restore it, open its directory as a store. It is then a store, and no longer a backup. To
  /// keep the backup, copy it first, or open it for reading.
  ///
  /// - Parameter url: The directory. It is created if it does not exist; its parent directory must
  ///   exist.
  /// - Returns: The number of bytes and segments that were copied and reused.
  /// - Throws: `KinshipError.file(.failed)`; `.file(.inUse)` if another backup is being made there;
  ///   `.file(.foreign)` if the directory holds something else: a store, or the backup of another
  ///   store or of a copy that has diverged, if a segment that both have shows it;
  ///   `.file(.damaged)`, `.file(.newerFormat)`, `.misuse(.closed)`; `CancellationError` if the
  ///   task is cancelled.
  /// - Complexity: O(*n*) in the bytes that are copied, and in the segments.
  @discardableResult
  public func backup(to url: URL) async throws -> FileStoreBackup {
    try await backup(to: url.path(percentEncoded: false), in: files)
  }

  @discardableResult
  package func backup(
    to path: String, in files: any FileSystem
  ) async throws -> FileStoreBackup {
    let segments: [Log.SealedSegment]
    switch access {
    // If a loss of power took unsynced commits from the store, the backup would differ from it.
    case .writing(let writer): segments = try await writer.syncedSegments()
    case .reading(let reader): segments = try await reader.logged().0
    }
    do {
      var writing = try BackupWriting(segments, to: path, in: files)
      try writing.copy()
      return try writing.finish()
    } catch let error as SystemError {
      throw KinshipError.of(error, path: path)
    }
  }
}
