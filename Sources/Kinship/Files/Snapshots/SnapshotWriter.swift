/// Writes a snapshot frame by frame, and finally replaces the old file.
///
/// Until ``publish()`` has returned, the old file is unchanged.
actor SnapshotWriter {
  private let executor = SerialQueueExecutor(label: "Kinship.SnapshotWriter")
  private let path: String
  private let types: [any GraphRecord.Type]
  private let coder: any RecordCoder
  private var file: FileReplacement?
  private var offset = 0
  private var declared: Set<Int> = []
  private var footer = SnapshotFooter()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a writer of a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - types: The types of the schema.
  ///   - coder: The coder.
  init(path: String, types: [any GraphRecord.Type], coder: any RecordCoder) {
    self.path = path
    self.types = types
    self.coder = coder
  }

  /// Creates the new file, and writes its beginning.
  ///
  /// - Parameters:
  ///   - files: The file system.
  ///   - head: The contents of the first frame.
  /// - Throws: `KinshipError.fileFailed`.
  func begin(in files: any FileSystem, _ head: SnapshotHead) throws(KinshipError) {
    file = try failing { () throws(SystemError) in
      let directory = try files.openDirectory(parentPath(of: path))
      let name = fileName(of: path)
      try FileReplacement.removeRemains(of: name, in: directory)
      return try FileReplacement(of: name, in: directory)
    }
    try write(FileHeader(.snapshot, version: head.version).bytes)
    try write(.head, head.payload)
  }

  /// Removes the new file, unless it has replaced the old one.
  func giveUp() { file = nil }

  /// Appends records, with the declarations of types that were not declared yet.
  ///
  /// - Throws: `KinshipError.fileFailed`.
  func write(_ encoded: RecordBlock.Encoded) throws(KinshipError) {
    for declaration in encoded.declarations { try declare(declaration) }
    for payload in encoded.payloads { try write(.records, payload) }
    footer.records += encoded.recordCount
  }

  /// Appends ids that are known to be missing, or that a lease names.
  ///
  /// - Throws: `KinshipError.notCodable`, `.untranslatable` and `.fileFailed`.
  func write(_ list: IDList) throws(KinshipError) {
    let payload = try list.payload(types: types, coder: coder)
    try declare(
      TypeDeclaration(
        of: types[list.ids.type], number: list.ids.type.index, fields: []))
    if list.name.isEmpty {
      try write(.missing, payload)
      footer.missing += list.ids.count
    } else {
      try write(.lease, payload)
      footer.leases += 1
    }
  }

  /// Ends the file, and replaces the old one by it.
  ///
  /// - Parameter failures: The errors of the records that were left out.
  /// - Returns: The number of records, and the size of the file.
  /// - Throws: `KinshipError.fileFailed`; its cause says whether the new file is in place all the
  ///   same.
  func publish(_ failures: [KinshipError]) throws(KinshipError) -> SnapshotReport {
    try write(.footer, footer.payload)
    do { try file?.publish() } catch { throw .fileFailed(path: path, cause: error) }
    return SnapshotReport(
      records: footer.records, missing: footer.missing, size: offset, failures: failures)
  }

  private func declare(_ declaration: TypeDeclaration) throws(KinshipError) {
    guard declared.insert(declaration.number).inserted else { return }
    var payload: [UInt8] = []
    declaration.write(to: &payload)
    try write(.type, payload)
  }

  private func write(_ kind: SnapshotFrame, _ payload: [UInt8]) throws(KinshipError) {
    try write(FrameHeader(kind: kind.rawValue, of: payload).bytes(at: offset))
    try write(payload)
  }

  private func write(_ bytes: [UInt8]) throws(KinshipError) {
    try failing { () throws(SystemError) in
      try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try file?.write(bytes) }
    }
    offset += bytes.count
  }

  private func failing<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(KinshipError) -> Result {
    do { return try body() } catch { throw .fileFailed(path: path, cause: error) }
  }
}

/// The last part of a path.
package func fileName(of path: String) -> String {
  String(path.drop { $0 == "/" }.split(separator: "/").last ?? "")
}
