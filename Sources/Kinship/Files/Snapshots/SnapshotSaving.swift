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
  /// - Throws: `KinshipError.invalidSchema(.notCodable)`.
  func check() throws(KinshipError) {
    for type in types where !(type is any StorableRecord.Type) {
      throw .invalidSchema(.notCodable(type: type.recordName))
    }
  }

  /// Saves a snapshot: the head, the contents of named leases, the answers to queries, the
  /// records, and the ids that are known to be missing.
  ///
  /// `next` and `nextMissing` return the next records and ids, and `nil` at the end.
  ///
  /// - Throws: `KinshipError`, `CancellationError`; then the old file is unchanged, unless the
  ///   error says otherwise.
  func save(
    head: SnapshotHead, leases: [IDList], answers: [CapturedAnswer],
    next: () throws -> RecordBatch?,
    nextMissing: () throws -> IDList?
  ) async throws -> SnapshotReport {
    let total = max(1, head.count)
    try progress?(SnapshotProgress(completed: 0, total: total))
    let writer = SnapshotWriter(self)
    do {
      try await writer.begin(head)
      // Before the records, so that these are leased as soon as they are restored.
      for lease in leases { try await writer.write(lease) }
      for answer in answers { try await writer.write(answer) }
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
      await writer.discard()
      throw error
    }
  }

  /// Writes all records; returns the errors of those that could not be encoded.
  private func write(
    _ next: () throws -> RecordBatch?, of total: Int, to writer: SnapshotWriter
  ) async throws -> [KinshipError] {
    var (failures, completed): ([KinshipError], Int) = ([], 0)
    try await OrderedPipeline.run(
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

/// Writes a snapshot on a separate thread.
private actor SnapshotWriter {
  private let executor = SerialQueueExecutor(label: "Kinship.SnapshotWriter")
  private let saving: SnapshotSaving
  /// `nil` before it is created, and after it is abandoned.
  private var file: SnapshotFile?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ saving: SnapshotSaving) { self.saving = saving }

  /// Creates the new file, and writes its beginning.
  ///
  /// - Throws: `KinshipError.file(.failed)`.
  func begin(_ head: SnapshotHead) throws(KinshipError) {
    try writing {
      let directory = try saving.files.openDirectory(parentPath(of: saving.path))
      let name = fileName(of: saving.path)
      try FileReplacement.removeTemporaryFiles(of: name, in: directory)
      file = try SnapshotFile(name, in: directory, head)
    }
  }

  /// Removes the new file, unless it has replaced the old one.
  func discard() { file = nil }

  /// Appends records, with the declarations of types that were not declared yet.
  ///
  /// - Throws: `KinshipError.file(.failed)`.
  func write(_ encoded: RecordBlock.Encoded) throws(KinshipError) {
    try writing {
      for declaration in encoded.declarations { try file?.declare(declaration) }
      for (payload, count) in encoded.payloads { try file?.append(records: payload, count: count) }
    }
  }

  /// Appends ids that are known to be missing, or that a lease names.
  ///
  /// - Throws: `KinshipError.invalidSchema(.notCodable)`, `.untranslatable` and `.file(.failed)`.
  func write(_ list: IDList) throws(KinshipError) {
    let payload = try list.payload(types: saving.types, coder: saving.coder)
    let type = list.ids.type
    try writing {
      try file?.declare(TypeDeclaration(of: saving.types[type], number: type.index, fields: []))
      try file?.append(ids: payload, name: list.name, count: list.ids.count)
    }
  }

  /// Appends the answer to a query.
  ///
  /// - Throws: `KinshipError.invalidSchema(.notCodable)`, `.untranslatable` and `.file(.failed)`.
  func write(_ answer: CapturedAnswer) throws(KinshipError) {
    let payload = try AnswerFrame.payload(
      of: answer, types: saving.types, coder: saving.coder)
    let type = answer.changed.type
    try writing {
      try file?.declare(TypeDeclaration(of: saving.types[type], number: type.index, fields: []))
      try file?.append(answer: payload)
    }
  }

  /// Ends the file, and replaces the old one by it; reports the failures of the records that were
  /// left out.
  ///
  /// - Throws: `KinshipError.file(.failed)`; its cause says whether the new file is in place all
  ///   the same.
  func publish(_ failures: [KinshipError]) throws(KinshipError) -> SnapshotReport {
    try writing { try file?.publish() }
    return SnapshotReport(
      records: file?.count ?? 0, missing: file?.missing ?? 0, size: file?.size ?? 0,
      failures: failures)
  }

  private func writing(_ body: () throws -> Void) throws(KinshipError) {
    do { try body() } catch { throw .file(.failed(path: saving.path, cause: error)) }
  }
}

/// The result of writing a snapshot.
public struct SnapshotReport: Sendable {
  /// The number of written records.
  public let records: Int
  /// The number of written refs that are known to have no record.
  public let missing: Int
  /// The size of the file, in bytes.
  public let size: Int
  /// The errors of the records that were left out: `KinshipError.untranslatable`, with type, id and
  /// cause.
  public let failures: [KinshipError]
}

/// The progress of writing or restoring a snapshot.
public struct SnapshotProgress: Hashable, Sendable {
  /// The completed amount: records of a snapshot that is written, bytes of one that is restored.
  public let completed: Int
  /// The total amount; at least 1.
  public let total: Int
}
