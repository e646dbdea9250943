package import Kinship

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension FileStore {
  /// Makes a backup in another directory, or renews the one that is there.
  ///
  /// ```swift
  /// let backup = try await store.backup(to: directory)
  /// print("\(backup.copiedBytes) bytes are new, \(backup.reusedBytes) were there.")
  /// ```
  ///
  /// The backup is the store after one commit: the last one when it is begun. Others read and
  /// commit meanwhile. Only what the backup does not have is copied. If it fails at any moment, or
  /// the machine does, the backup is the former one, or the new one; before the first is finished,
  /// there is none.
  ///
  /// To restore it, open its directory as a store: that makes a store of it, which is a backup no
  /// longer. Copy it first if it is to stay one, or open it to be read.
  ///
  /// - Parameter url: The directory. It is made if it is not there; the one that holds it must be
  ///   there.
  /// - Returns: What was copied.
  /// - Throws: `KinshipError.fileFailed`; `.storeInUse` if another backup is being made there;
  ///   `.foreignFile` if there is something else: a store, or, as far as segments tell that both
  ///   have, the backup of another one, or of a copy that has gone its own way; `.damaged`,
  ///   `.newerFormat`, `.closed`; `CancellationError` if the task is cancelled.
  /// - Complexity: O(*n*) in the bytes that are copied, and in the segments.
  @discardableResult
  public func backup(to url: URL) async throws -> FileStoreBackup {
    try await backup(to: url.path(percentEncoded: false), in: files)
  }

  /// Makes a backup in any file system.
  @discardableResult
  package func backup(
    to path: String, in files: any FileSystem
  ) async throws -> FileStoreBackup {
    let segments: [Log.SealedSegment]
    switch access {
    // What the store may lose with the power would set it apart from its backup.
    case .writing(let writer): segments = try await writer.syncedSegments()
    case .reading(let reader): segments = try await reader.logged().0
    }
    do {
      var writing = try BackupWriting(segments, to: path, in: files)
      while try writing.next() { try Task.checkCancellation() }
      return try writing.finish()
    } catch let error as SystemError {
      throw KinshipError.of(error, path: path)
    }
  }
}
