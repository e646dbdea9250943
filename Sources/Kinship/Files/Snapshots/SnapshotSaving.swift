#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Saves what was captured: records are encoded in parallel and written in order.
struct SnapshotSaving: Sendable {
  let path: String
  let files: any FileSystem
  let types: [any GraphRecord.Type]
  let coder: any RecordCoder
  /// Whether one record that cannot be encoded makes all fail.
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
  ///   - head: What the file says of itself.
  ///   - leases: What leases with names hold.
  ///   - next: The next records; `nil` once there are none.
  ///   - nextMissing: The next ids that are known missing; asked for when there are no more
  ///     records.
  /// - Returns: What was written.
  /// - Throws: `KinshipError`, `CancellationError`; then the old file is as it was, unless the
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
      // Before the records, so that these are held as soon as they are restored.
      for lease in leases { try await writer.write(lease) }
      let failures = try await write(next, of: total, to: writer)
      while let list = try nextMissing() {
        try Task.checkCancellation()
        try await writer.write(list)
      }
      try Task.checkCancellation()
      let report = try await writer.publish(failures)
      // The file is in its place: it is too late to stop.
      try? progress?(SnapshotProgress(completed: total, total: total))
      return report
    } catch {
      await writer.giveUp()
      throw error
    }
  }

  /// Writes all records; tells what could not be encoded.
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
