/// Reads a snapshot frame by frame.
actor SnapshotReader {
  /// The contents of a frame.
  enum Piece: Sendable {
    /// A frame of records, and the context to decode them.
    case records(Frame, RecordBlock.Context)
    /// Ids that are known to be missing, or that a lease names.
    case ids(IDList)
    /// The answer to a query.
    case answer(CapturedAnswer)
  }

  private let executor = SerialQueueExecutor(label: "Kinship.SnapshotReader")
  private let path: String
  private let schema: GraphSchema
  private let options: RestoreOptions
  private var context: RecordBlock.Context
  private var frames: FrameReader?
  private var footer: SnapshotFooter?
  /// The errors of the parts that are missing.
  private var failures: [KinshipError] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a reader of a file for the current record types.
  init(path: String, schema: GraphSchema, options: RestoreOptions) {
    self.path = path
    self.schema = schema
    self.options = options
    context = RecordBlock.Context(
      coder: options.coder ?? CompactCoder(), types: [:], salvages: options.damage == .salvage)
  }

  /// Opens the file and checks it: its size before a byte is read, its kind, and, unless it is
  /// salvaged, every frame.
  ///
  /// - Returns: The head of the file, and its size in bytes.
  /// - Throws: `KinshipError.file(.failed)`, `.file(.tooLarge)`, `.file(.foreign)`,
  ///   `.file(.newerFormat)`, `.file(.damaged)` and `.file(.unknownCoder)`.
  func open(in files: any FileSystem) throws(KinshipError) -> (head: SnapshotHead, size: Int) {
    let (file, size) = try openFile(in: files)
    guard size <= options.maximumSize else {
      throw .file(.tooLarge(path: path, size: size, limit: options.maximumSize))
    }
    var frames = FrameReader(file, path: path, to: size, salvages: context.salvages)
    try frames.readHeader(of: .snapshot)
    if !context.salvages { try check(frames) }
    guard let first = try frames.next(), first.kind == SnapshotFrame.head.rawValue, !first.isDamaged
    else {
      // Only the head says how to decode the records.
      throw .damage(to: path, at: FileHeader.size, "there is no head")
    }
    let head = try parse(first, SnapshotHead.init(from:))
    context.coder = try CoderTable.coder(head.coder, given: options.coder, path: path)
    self.frames = frames
    return (head, size)
  }

  private func openFile(
    in files: any FileSystem
  ) throws(KinshipError) -> (file: any OpenFile, size: Int) {
    do {
      let directory = try files.openDirectory(parentPath(of: path))
      let file = try directory.open(fileName(of: path), .read)
      return (file, try file.size())
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }

  /// Reads every frame once, to find damage before any record is restored.
  private func check(_ frames: FrameReader) throws(KinshipError) {
    var frames = frames
    var last: UInt8?
    while let frame = try frames.next() {
      if last == SnapshotFrame.footer.rawValue {
        throw .damage(to: path, at: frame.payloadOffset, "something follows the footer")
      }
      last = frame.kind
    }
    guard last == SnapshotFrame.footer.rawValue else {
      throw .damage(to: path, at: frames.offset, "the file is cut off")
    }
  }

  /// Returns the next piece, and the offset of its end; `nil` at the end.
  ///
  /// - Throws: `KinshipError.file(.failed)`, and the errors of ``Migrations`` for types;
  ///   `.file(.damaged)` and `.untranslatable` unless the file is salvaged.
  func next() throws(KinshipError) -> (piece: Piece, end: Int)? {
    while let frame = try frames?.next() {
      let end = frame.payloadOffset + frame.payload.count
      switch SnapshotFrame(rawValue: frame.kind) {
      case .records: return (.records(frame, context), end)
      case .type: try declare(frame)
      case .missing, .lease:
        let list = try salvage(frame) { [context] reader throws(KinshipError) in
          try IDList.read(&reader, context)
        }
        if let list = list ?? nil { return (.ids(list), end) }
      case .answer:
        let answer = try salvage(frame) { [context] reader throws(KinshipError) in
          try AnswerFrame.read(&reader, context)
        }
        if let answer = answer ?? nil { return (.answer(answer), end) }
      case .footer: footer = try salvage(frame, SnapshotFooter.init(from:))
      case .head, nil:
        try fail(damage(frame, "a frame has a kind that is not expected here"))
      }
    }
    return nil
  }

  /// Checks at the end that nothing is missing.
  ///
  /// - Parameter records: The number of records read, including those of removed types; `nil` if
  ///   the caller stopped early.
  /// - Returns: The errors of the missing parts, if the file is salvaged.
  /// - Throws: `KinshipError.file(.damaged)` unless the file is salvaged.
  func finish(records: Int?) throws(KinshipError) -> [KinshipError] {
    let offset = frames?.offset ?? 0
    failures += frames?.failures ?? []
    if let footer {
      if let records, footer.records != records {
        let cause = "the footer counts \(footer.records) records, and \(records) can be read"
        try fail(.damage(to: path, at: offset, cause))
      }
    } else {
      try fail(.damage(to: path, at: offset, "the file ends without its footer"))
    }
    return failures
  }

  private func declare(_ frame: Frame) throws(KinshipError) {
    guard let declaration = try salvage(frame, TypeDeclaration.init(from:)) else { return }
    if let known = context.types[declaration.number]?.declaration {
      // Its ids may come before its first record, which declares the fields.
      if known.name == declaration.name, known.version == declaration.version { return }
      return try fail(damage(frame, "two types have the same number"))
    }
    // An unknown type is no damage: a salvage must not skip it silently.
    context.types[declaration.number] = try options.migrations.resolve(declaration, in: schema)
  }

  private func parse<Result>(
    _ frame: Frame, _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result {
    try frame.read { reader throws(KinshipError) in
      guard !frame.isDamaged else { throw reader.damage("the checksum of a frame is wrong") }
      let result = try body(&reader)
      try reader.finish()
      return result
    }
  }

  /// Parses a frame; in a salvage, `nil` if it is damaged.
  private func salvage<Result>(
    _ frame: Frame, _ body: (inout ByteReader) throws(KinshipError) -> Result
  ) throws(KinshipError) -> Result? {
    do { return try parse(frame, body) } catch {
      try fail(error)
      return nil
    }
  }

  private func fail(_ error: KinshipError) throws(KinshipError) {
    if !context.salvages { throw error }
    failures.append(error)
  }

  private func damage(_ frame: Frame, _ cause: String) -> KinshipError {
    .damage(to: path, at: frame.payloadOffset, cause)
  }
}
