#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Saves captured records: encodes them in parallel and writes them in order.
struct SnapshotSaving: Sendable {
  let path: String
  let files: any FileSystem
  let types: [any GraphRecord.Type]
  let coder: any RecordCoder
  /// Whether one record that cannot be encoded fails the whole snapshot.
  let requiresAll: Bool
  let progress: (@Sendable (SnapshotProgress) throws -> Void)?

  /// Checks that all types can be written.
  ///
  /// - Throws: `KinshipError.notCodable`.
  func check() throws(KinshipError) {
    for type in types where !(type is any StorableRecord.Type) {
      throw .notCodable(type: type.recordName)
    }
  }

  /// Saves a snapshot.
  ///
  /// - Parameters:
  ///   - head: The head of the file.
  ///   - leases: The contents of named leases.
  ///   - next: Returns the next records; `nil` at the end.
  ///   - nextMissing: Returns the next ids that are known to be missing; called after the last
  ///     records.
  /// - Returns: The result of writing.
  /// - Throws: `KinshipError`, `CancellationError`; then the old file is unchanged, unless the
  ///   error says otherwise.
  func save(
    head: SnapshotHead, leases: [IDList], next: () throws -> RecordBatch?,
    nextMissing: () throws -> IDList?
  ) async throws -> SnapshotReport {
    let total = max(1, head.count)
    try progress?(SnapshotProgress(completed: 0, total: total))
    let writer = SnapshotWriter(path: path, types: types, coder: coder)
    do {
      try await writer.begin(in: files, head)
      // Before the records, so that these are leased as soon as they are restored.
      for lease in leases { try await writer.write(lease) }
      let failures = try await write(next, of: total, to: writer)
      while let list = try nextMissing() {
        try Task.checkCancellation()
        try await writer.write(list)
      }
      try Task.checkCancellation()
      let report = try await writer.publish(failures)
      // The file is in place: it is too late to stop.
      try? progress?(SnapshotProgress(completed: total, total: total))
      return report
    } catch {
      await writer.giveUp()
      throw error
    }
  }

  /// Writes all records; returns the errors of those that could not be encoded.
  private func write(
    _ next: () throws -> RecordBatch?, of total: Int, to writer: SnapshotWriter
  ) async throws -> [KinshipError] {
    var (failures, completed): ([KinshipError], Int) = ([], 0)
    try await OrderedPipeline.run(
      width: 2 * ProcessInfo.processInfo.activeProcessorCount,
      next: {
        try Task.checkCancellation()
        return try next()
      },
      transform: { [types, coder] batch in
        (try RecordBlock.encode(batch, types: types, coder: coder), batch.count)
      },
      consume: { encoded, count in
        if requiresAll, let failure = encoded.failures.first { throw failure }
        failures += encoded.failures
        try await writer.write(encoded)
        completed += count
        try progress?(SnapshotProgress(completed: completed, total: total))
      })
    return failures
  }
}
