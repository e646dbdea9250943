import Foundation

/// Saves what was captured: records are encoded in parallel and written in order.
struct SnapshotSaving: Sendable {
  let path: String
  let files: any FileSystem
  let types: [any Record.Type]
  let coder: any RecordCoder
  /// Whether one record that cannot be encoded makes all fail.
  let requiresAll: Bool
  let progress: Progress?

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
  ///   - nextMissing: The next ids that are known missing; asked for when there are no more records.
  /// - Returns: What was written.
  /// - Throws: `KinshipError`, `CancellationError`; then the old file is as it was, unless the error says
  ///   otherwise.
  func save(
    head: SnapshotHead, leases: [IDList], next: () throws -> RecordBatch?,
    nextMissing: () throws -> IDList?
  ) async throws -> SnapshotReport {
    progress?.totalUnitCount = Int64(max(1, head.count))
    let writer = SnapshotWriter(path: path, types: types, coder: coder)
    do {
      try await writer.begin(in: files, head)
      // Before the records, so that these are held as soon as they are restored.
      for lease in leases { try await writer.write(lease) }
      let failures = try await write(next, to: writer)
      while let list = try nextMissing() {
        try checkCancellation()
        try await writer.write(list)
      }
      try checkCancellation()
      let report = try await writer.publish(failures)
      progress?.completedUnitCount = progress?.totalUnitCount ?? 0
      return report
    } catch {
      await writer.giveUp()
      throw error
    }
  }

  /// Writes all records; tells what could not be encoded.
  private func write(
    _ next: () throws -> RecordBatch?, to writer: SnapshotWriter
  ) async throws -> [KinshipError] {
    var failures: [KinshipError] = []
    try await OrderedPipeline.run(
      width: 2 * ProcessInfo.processInfo.activeProcessorCount,
      next: {
        try checkCancellation()
        return try next()
      },
      transform: { [types, coder] batch in
        (try RecordBlock.encode(batch, types: types, coder: coder), batch.count)
      },
      consume: { encoded, count in
        if requiresAll, let failure = encoded.failures.first { throw failure }
        failures += encoded.failures
        try await writer.write(encoded)
        progress?.completedUnitCount += Int64(count)
      })
    return failures
  }

  private func checkCancellation() throws {
    if Task.isCancelled || progress?.isCancelled == true { throw CancellationError() }
  }
}
