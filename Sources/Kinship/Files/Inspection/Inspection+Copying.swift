extension Inspection {
  /// Writes what was read, and is whole, to a new snapshot or the new directory of a store.
  ///
  /// Nothing is replaced, and until all is written nothing is there of that name.
  ///
  /// - Parameters:
  ///   - path: The path of the copy.
  ///   - files: The file system.
  ///   - failed: Told of each record that cannot be read any longer, and is left out.
  /// - Returns: How many records were written.
  /// - Throws: `KinshipError.fileFailed`.
  /// - Complexity: O(*n*) in the bytes of the records.
  package func copy(
    to path: String, in files: any FileSystem = SystemFiles(), failed: (FileDamage) -> Void
  ) throws(KinshipError) -> Int {
    do {
      let parent = try files.openDirectory(parentPath(of: path))
      if try parent.list().contains(fileName(of: path)) {
        throw SystemError(.makeDirectory, path, SystemErrorCode.exists)
      }
      switch kind {
      case .snapshot(let facts):
        var copy = SnapshotCopy(of: self, facts)
        return try copy.write(to: fileName(of: path), in: parent)
      case .store:
        let temporary = "\(path).kinship-tmp-\(UInt32.random(in: 0 ... .max))"
        var copy = LogCopy(of: self, in: try files.openDirectory(temporary, creating: true))
        let count = try copy.write(failed)
        try parent.rename(fileName(of: temporary), to: fileName(of: path))
        try parent.sync()
        return count
      }
    } catch {
      throw .fileFailed(path: path, cause: error)
    }
  }

  /// The records of each source in turn.
  fileprivate var runs: [ArraySlice<InspectedRecord>] {
    records.chunked { $0.source === $1.source }
  }

  /// What files say of types, numbered from 0.
  fileprivate var declarations: [TypeName: TypeDeclaration] {
    var declarations: [TypeName: TypeDeclaration] = [:]
    for (number, type) in types.enumerated() {
      declarations[type.id] = TypeDeclaration(
        number: number, name: type.id.name, version: type.id.version, fields: type.fields)
    }
    return declarations
  }
}

extension Array {
  /// The elements in runs of those that belong to the one before.
  fileprivate func chunked(_ belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
    var (chunks, start) = ([ArraySlice<Element>](), 0)
    for index in indices where index > 0 && !belong(self[index - 1], self[index]) {
      chunks.append(self[start..<index])
      start = index
    }
    if start < count { chunks.append(self[start...]) }
    return chunks
  }
}

/// Writes the records of a store to segments of a new log.
struct LogCopy {
  private let inspection: Inspection
  private let directory: any Directory
  private var number: UInt32 = 0
  private var sequence: UInt64 = 0
  private var previousEnd = 0
  private var count = 0

  init(of inspection: Inspection, in directory: any Directory) {
    self.inspection = inspection
    self.directory = directory
  }

  /// - Returns: How many records were written.
  mutating func write(_ failed: (FileDamage) -> Void) throws -> Int {
    let declarations = inspection.declarations
    for run in inspection.runs { try write(run, declarations, failed) }
    if number == 0 {
      let coder = inspection.coder
      _ = try begin(coder.isEmpty ? CompactCoder().name : coder).publish()
    }
    return count
  }

  /// Makes the next segment, with its beginning.
  private mutating func begin(_ coder: String) throws(SystemError) -> FileReplacement {
    number += 1
    let start = SegmentStart(
      number: number, identity: .random(in: 0 ... .max), firstSequence: sequence + 1,
      previousEnd: previousEnd, coder: coder)
    let replacement = try FileReplacement(of: SegmentName.log(number), in: directory)
    try replacement.append(FileHeader(.log).bytes)
    try replacement.append(kind: LogFrame.start, start.payload)
    return replacement
  }

  /// Writes records that have keys in common to a segment of their own.
  private mutating func write(
    _ run: ArraySlice<InspectedRecord>, _ declarations: [TypeName: TypeDeclaration],
    _ failed: (FileDamage) -> Void
  ) throws {
    guard let source = run.first?.source else { return }
    let replacement = try begin(source.coder.name)
    var growth = VocabularyGrowth()
    growth.keys = source.keys
    growth.types = declarations.values.sorted { $0.number < $1.number }
    var rest = run
    while !rest.isEmpty {
      var (entries, size): ([(id: [UInt8], type: Int, record: [UInt8])], Int) = ([], 0)
      while size < 1 << 18, let record = rest.popFirst() {
        guard let type = declarations[record.type]?.number else { continue }
        do throws(KinshipError) {
          let (id, bytes) = try record.entry()
          entries.append((id, type, bytes))
          size += bytes.count
        } catch {
          guard case .damaged(let fault) = error else { throw error }
          failed(fault)
        }
      }
      try commit(entries, growth, to: replacement)
      growth = VocabularyGrowth()
      growth.firstKey = source.keys.count
      growth.firstType = declarations.count
    }
    try replacement.publish()
    previousEnd = replacement.count
  }

  private mutating func commit(
    _ entries: [(id: [UInt8], type: Int, record: [UInt8])], _ growth: VocabularyGrowth,
    to replacement: FileReplacement
  ) throws(SystemError) {
    sequence += 1
    count += entries.count
    var payload = CommitHead(
      sequence: sequence, synced: replacement.count, growth: growth, count: entries.count
    ).bytes
    let place = replacement.count + FrameHeader.size
    for entry in entries {
      let start = payload.count
      LogEntry.append(.put, type: entry.type, id: entry.id, record: entry.record, to: &payload)
      LogEntry.prove(start..<payload.count, in: &payload, at: place + start, of: number)
    }
    try replacement.append(kind: LogFrame.commit, payload)
  }
}

/// Writes the records of a snapshot, and what it says beside them, to a new one.
struct SnapshotCopy {
  private let inspection: Inspection
  private let facts: SnapshotFacts

  init(of inspection: Inspection, _ facts: SnapshotFacts) {
    self.inspection = inspection
    self.facts = facts
  }

  /// - Returns: How many records were written.
  mutating func write(to name: String, in directory: any Directory) throws -> Int {
    let head = SnapshotHead(
      coder: facts.coder, moment: facts.moment, count: facts.captured,
      cursor: facts.cursor.map { StoreCursor($0) })
    let replacement = try FileReplacement(of: name, in: directory)
    try replacement.append(FileHeader(.snapshot, version: head.version).bytes)
    try replacement.append(kind: SnapshotFrame.head.rawValue, head.payload)
    let declarations = inspection.declarations
    for type in declarations.values.sorted(by: { $0.number < $1.number }) {
      var payload: [UInt8] = []
      type.write(to: &payload)
      try replacement.append(kind: SnapshotFrame.type.rawValue, payload)
    }
    var footer = SnapshotFooter()
    for list in facts.leases {
      try replacement.append(kind: SnapshotFrame.lease.rawValue, payload(list, declarations))
      footer.leases += 1
    }
    for run in inspection.runs {
      let block = try block(run, from: footer.records, declarations)
      if block.count > 0 {
        let payload = block.payload(keys: run.first?.source.keys ?? [])
        try replacement.append(kind: SnapshotFrame.records.rawValue, payload)
      }
      footer.records += block.count
    }
    for list in facts.missing {
      try replacement.append(kind: SnapshotFrame.missing.rawValue, payload(list, declarations))
      footer.missing += list.ids.count
    }
    try replacement.append(kind: SnapshotFrame.footer.rawValue, footer.payload)
    try replacement.publish()
    return footer.records
  }

  private func block(
    _ run: ArraySlice<InspectedRecord>, from rank: Int, _ declarations: [TypeName: TypeDeclaration]
  ) throws(KinshipError) -> RecordBlock.Body {
    var block = RecordBlock.Body()
    for record in run {
      guard let type = declarations[record.type]?.number else { continue }
      let bytes = try record.source.withRecord(at: record.offset, record.extent) {
        bytes throws(KinshipError) in Array(bytes)
      }
      block.append(bytes, type: type, rank: rank, age: record.age ?? 0)
    }
    return block
  }

  private func payload(
    _ list: InspectedIDs, _ declarations: [TypeName: TypeDeclaration]
  ) throws -> [UInt8] {
    let encoder = try CoderTable.coder(facts.coder, given: nil, path: inspection.path)
      .makeEncoder(keys: [])
    var ids: [UInt8] = []
    for id in list.ids {
      var bytes: [UInt8] = []
      try encoder.encode(id, into: &bytes)
      ids.append(varint: bytes.count)
      ids += bytes
    }
    var payload: [UInt8] = []
    payload.append(text: list.name)
    payload.append(varint: declarations[list.type]?.number ?? 0)
    payload.append(texts: encoder.keys)
    payload.append(varint: list.ids.count)
    return payload + ids
  }
}

extension InspectedRecord {
  /// The bytes of the id and of the record, as they are in an entry of a log.
  fileprivate func entry() throws(KinshipError) -> (id: [UInt8], record: [UInt8]) {
    try source.withBytes(at: offset, extent) { reader throws(KinshipError) in
      let entry = try LogEntry(from: &reader, checkedIn: source.segment)
      return (Array(entry.id), Array(entry.record))
    }
  }
}

extension FileReplacement {
  fileprivate func append(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try write(bytes) }
  }

  fileprivate func append(kind: UInt8, _ payload: [UInt8]) throws(SystemError) {
    try append(FrameHeader(kind: kind, of: payload).bytes(at: count))
    try append(payload)
  }
}
