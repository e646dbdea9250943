/// The file of a queue, accessed on a separate thread.
///
/// A step is one frame, appended and synced. The file is rewritten when most of it is outdated, or
/// when its contents are uncertain after a failure.
actor OfflineLog {
  /// A write that was found in the file.
  struct Found: Sendable {
    let key: ChangeKey
    let changes: ChangeSet
  }

  /// The size up to which a file is never rewritten, however much of it is outdated.
  private static let smallestSize = 1 << 16

  private let executor: any SerialExecutor
  private let files: any FileSystem
  nonisolated let path: String
  private let schema: GraphSchema
  private var directory: (any Directory)?
  /// Held for the lifetime of this value.
  private var lock: (any OpenFile)?
  private var file: (any OpenFile)?
  private var end = 0
  /// Whether the file certainly holds the entries, and nothing else.
  private var isSound = false
  private var entries: [QueueStep.QueuedWrite] = []
  /// The changes that could not be written yet.
  private var unwritten = QueueStep()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    files: any FileSystem, path: String, schema: GraphSchema,
    executor: any SerialExecutor = SerialQueueExecutor(label: "Kinship.OfflineQueue")
  ) {
    self.executor = executor
    self.files = files
    self.path = path
    self.schema = schema
  }

  // MARK: Opening

  /// Opens the file.
  ///
  /// - Returns: The queued writes, in order, and the place where the file was cut.
  /// - Throws: The errors of `OfflineQueue.init`.
  func open() throws -> (found: [Found], cut: FileDamage?) {
    do {
      let directory = try files.openDirectory(path, creating: true)
      let lock = try directory.openOrCreate("lock")
      guard try lock.lock() else { throw KinshipError.file(.inUse(path: path)) }
      try FileReplacement.removeTemporaryFiles(of: QueueFile.name, in: directory)
      var cut: FileDamage?
      if let file = try directory.openIfPresent(QueueFile.name, .update) {
        cut = try read(file)
        (self.file, isSound) = (file, cut == nil)
      }
      let found = try entries.map { Found(key: $0.key, changes: try decode($0.bytes)) }
      (self.directory, self.lock) = (directory, lock)
      if !isSound { try rewrite(entries) }
      return (found, cut)
    } catch {
      (directory, lock, file) = (nil, nil, nil)
      guard let error = error as? SystemError else { throw error }
      throw KinshipError.file(.failed(path: path, cause: error))
    }
  }

  /// Reads the file; returns the place of an incomplete frame at the end, if there is one.
  private func read(_ file: any OpenFile) throws -> FileDamage? {
    let found = try QueueFile(file, at: "\(path)/\(QueueFile.name)") { types throws(KinshipError) in
      try check(types)
    }
    (entries, end) = (found.entries, found.end)
    return found.cut
  }

  /// Refuses types that the program cannot decode as they were written.
  private func check(_ types: [TypeDeclaration]) throws(KinshipError) {
    for stored in types {
      guard let type = schema.types.first(where: { $0.recordName == stored.name }) else {
        continue
      }
      let known = type.recordVersion
      if stored.version > known {
        throw .file(.newerVersion(type: stored.name, version: stored.version, known: known))
      }
      if stored.version < known {
        throw .invalidSchema(.noMigration(type: stored.name, from: stored.version))
      }
    }
  }

  func close() { (file, lock, directory) = (nil, nil, nil) }

  // MARK: Writing

  /// Queues a write; it is synced to disk when this returns.
  ///
  /// - Throws: `KinshipError.file(.failed)` and `.misuse(.closed)`, and the errors of encoding.
  ///   Then the write is not queued, unless the file cannot be restored either.
  func append(_ changes: ChangeSet, _ key: ChangeKey) throws {
    var step = unwritten
    step.written.append(QueueStep.QueuedWrite(key: key, bytes: try encode(changes)))
    try write(step)
    unwritten = QueueStep()
  }

  /// Removes writes that were committed or refused, and replaces others by their new values, in one
  /// step.
  ///
  /// - Throws: `KinshipError.file(.failed)` and `.misuse(.closed)`, and the errors of encoding:
  ///   then the next step includes it.
  func settle(_ removed: [ChangeKey], restating changed: [Found] = []) throws {
    unwritten.removed.formUnion(removed)
    unwritten.written.removeAll { removed.contains($0.key) }
    for change in changed {
      let bytes = try encode(change.changes)
      unwritten.written.removeAll { $0.key == change.key }
      // A write that has left the queue does not return.
      guard let entry = entries.first(where: { $0.key == change.key }),
        !unwritten.removed.contains(change.key), entry.bytes != bytes
      else { continue }
      unwritten.written.append(QueueStep.QueuedWrite(key: change.key, bytes: bytes))
    }
    if unwritten.isEmpty { return }
    try write(unwritten)
    unwritten = QueueStep()
  }

  private func write(_ step: QueueStep) throws(KinshipError) {
    guard directory != nil else { throw .misuse(.closed(path: path)) }
    var next = entries
    step.apply(to: &next)
    let live = next.reduce(0) { $0 + $1.bytes.count }
    do throws(SystemError) {
      if !isSound {
        try rewrite(next)
      } else if end < max(Self.smallestSize, 4 * live) || !tryRewriting(next) {
        // A failed rewrite may leave it uncertain which file is in place.
        if isSound { try append(step) } else { try rewrite(next) }
      }
    } catch {
      // A partly written frame must not be found.
      if !isSound { _ = tryRewriting(entries) }
      throw .file(.failed(path: path, cause: error))
    }
    entries = next
  }

  private func append(_ step: QueueStep) throws(SystemError) {
    guard let file else { throw SystemError(.write, path, SystemErrorCode.deviceFailed) }
    let frame = FrameHeader.frame(QueueFile.step, step.payload, at: end)
    isSound = false
    try file.write(frame, at: end)
    // A4: the write is on disk before it counts as queued.
    try file.sync()
    isSound = true
    end += frame.count
  }

  private func tryRewriting(_ entries: [QueueStep.QueuedWrite]) -> Bool {
    (try? rewrite(entries)) != nil
  }

  /// Rewrites the file.
  ///
  /// If that fails, the old one is unchanged, or `isSound` is `false`.
  private func rewrite(_ entries: [QueueStep.QueuedWrite]) throws(SystemError) {
    guard let directory else { throw SystemError(.write, path, SystemErrorCode.deviceFailed) }
    var head: [UInt8] = []
    head.append(varint: schema.types.count)
    for (number, type) in schema.types.enumerated() {
      TypeDeclaration(of: type, number: number, fields: []).write(to: &head)
    }
    var bytes = FileHeader.Kind.queue.file(QueueFile.head, head)
    for entry in entries {
      let step = QueueStep(written: [entry])
      bytes += FrameHeader.frame(QueueFile.step, step.payload, at: bytes.count)
    }
    let replacement = try FileReplacement(of: QueueFile.name, in: directory)
    try replacement.write(bytes)
    do throws(FileReplacementError) { try replacement.publish() } catch {
      // The old file may reappear: do not append anything before the new one is certain.
      if case .unconfirmed = error { isSound = false }
      throw error.cause
    }
    (file, end, isSound) = (replacement.file, bytes.count, true)
  }

  // MARK: Coding

  private var coder: CompactCoder { CompactCoder(userInfo: [.kinshipSchema: schema]) }

  /// The encoded changes, after the keys that they refer to.
  private func encode(_ changes: ChangeSet) throws -> [UInt8] {
    let encoder = coder.makeEncoder(keys: [])
    var body: [UInt8] = []
    try encoder.encode(changes, into: &body)
    var bytes: [UInt8] = []
    bytes.append(texts: encoder.keys)
    return bytes + body
  }

  private func decode(_ bytes: [UInt8]) throws -> ChangeSet {
    try bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, of: path, at: 0)
      let decoder = coder.makeDecoder(keys: try reader.readTexts())
      return try decoder.decode(ChangeSet.self, from: try reader.read(reader.remaining))
    }
  }
}
