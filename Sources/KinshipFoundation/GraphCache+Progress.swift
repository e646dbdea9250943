public import Foundation
public import Kinship

// A module of its own: `Progress` is in the part of Foundation that brings ICU with it.
extension GraphCache {
  /// Writes a snapshot to a file, and counts the records in a `Progress`.
  ///
  /// - Parameters:
  ///   - url: The file, in an existing directory.
  ///   - coder: The coder for the records. The file names its coder.
  ///   - requiresAll: Whether to throw if a record cannot be encoded.
  ///   - progress: Counts records; if it is cancelled, so is the snapshot.
  /// - Returns: The number of records that were written, and the records that were left out.
  /// - Throws: The errors of the same call without a `Progress`.
  /// - Complexity: O(*n*) in the records.
  @discardableResult
  public nonisolated func snapshot(
    to url: URL, coder: any RecordCoder = .compact, requiresAll: Bool = false, progress: Progress
  ) async throws -> SnapshotReport {
    try await snapshot(to: url, coder: coder, requiresAll: requiresAll) { try progress.update($0) }
  }

  /// Restores a snapshot, and counts the bytes in a `Progress`.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: The options for reading it.
  ///   - progress: Counts bytes; if it is cancelled, so is restoring.
  /// - Returns: A report of what was restored, with the leases that had names.
  /// - Throws: The errors of the same call without a `Progress`.
  /// - Complexity: O(*n*) in the file.
  @discardableResult
  public nonisolated func restore(
    from url: URL, _ options: RestoreOptions = RestoreOptions(), progress: Progress
  ) async throws -> GraphCache.RestoreReport {
    try await restore(from: url, options) { try progress.update($0) }
  }
}

extension Progress {
  /// Shows the progress of a snapshot.
  ///
  /// - Throws: `CancellationError` if the progress is cancelled.
  fileprivate func update(_ progress: SnapshotProgress) throws {
    if isCancelled { throw CancellationError() }
    totalUnitCount = Int64(progress.total)
    completedUnitCount = Int64(progress.completed)
  }
}
