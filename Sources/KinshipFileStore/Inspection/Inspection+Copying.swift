package import Kinship
internal import KinshipInspection

extension Inspection {
  /// Writes the intact records to a new snapshot or a new store directory.
  ///
  /// Nothing is replaced. The new file or directory does not appear before it is complete.
  package func copy(
    to path: String, in files: any FileSystem = SystemFiles(), failed: (FileDamage) -> Void
  ) throws(KinshipError) -> Int {
    do {
      switch kind {
      case .snapshot(let facts):
        let (parent, name) = try files.placeForNew(path)
        return try copy(facts, to: name, in: parent)
      case .database, .queue: throw KinshipError.file(.foreign(path: self.path))
      case .store:
        let new = try NewDirectory(at: path, in: files)
        let count = try copyLog(to: new.directory, failed)
        try new.publish()
        return count
      }
    } catch {
      throw .file(.failed(path: path, cause: error))
    }
  }

  /// The records of each source in turn.
  private var runs: [(source: RecordSource, records: ArraySlice<InspectedRecord>)] {
    var runs: [(source: RecordSource, records: ArraySlice<InspectedRecord>)] = []
    for (place, record) in records.enumerated() {
      guard let source = record.source as? RecordSource else { continue }
      if let last = runs.last, last.source === source {
        runs[runs.count - 1].records = records[last.records.startIndex...place]
      } else {
        runs.append((source, records[place...place]))
      }
    }
    return runs
  }

  /// The declarations of the types in the files, numbered from 0.
  private var declarations: [TypeName: TypeDeclaration] {
    var declarations: [TypeName: TypeDeclaration] = [:]
    for (number, type) in types.enumerated() {
      declarations[type.id] = TypeDeclaration(
        number: number, name: type.id.name, version: type.id.version, fields: type.fields)
    }
    return declarations
  }

  /// Writes the records of a store to segments of a new log.
  ///
  /// Records with common keys share a segment.
  private func copyLog(
    to directory: any Directory, _ failed: (FileDamage) -> Void
  ) throws -> Int {
    let declarations = declarations
    let types = declarations.values.sorted { $0.number < $1.number }
    var log = NewLog(in: directory)
    for (source, run) in runs {
      try log.beginSegment(coder: source.coder.name)
      var rest = run
      while !rest.isEmpty {
        var entries = EntryBuffer(Vocabulary())
        while entries.bytes.count < NewLog.commitSize, let record = rest.popFirst() {
          guard let type = declarations[record.type]?.number else { continue }
          do throws(KinshipError) {
            // Its keys may have been declared in a damaged part.
            if !damage.isEmpty { _ = try record.value() }
            try source.withEntry(of: record) { entry in
              entries.append(
                .put, type: type, id: Array(entry.id), record: Array(entry.record))
            }
          } catch .file(.damaged(let fault)) {
            failed(record.damage(fault.cause))
          }
        }
        try log.commit(entries, keys: source.keys, types: types)
      }
    }
    try log.finish(coder: coder.isEmpty ? CompactCoder().name : coder)
    return log.count
  }

  private func copy(
    _ facts: SnapshotFacts, to name: String, in directory: any Directory
  ) throws -> Int {
    var head = SnapshotHead(
      coder: facts.coder, moment: facts.moment, count: facts.captured,
      cursors: facts.cursors.map { StoreCursor($0) })
    head.hasAnswers = !facts.answers.isEmpty
    let declarations = declarations
    var snapshot = try SnapshotFile(name, in: directory, head)
    for type in declarations.values.sorted(by: { $0.number < $1.number }) {
      try snapshot.declare(type)
    }
    for list in facts.leases { try append(list, declarations, to: &snapshot) }
    for answer in facts.answers { try snapshot.append(answer: answer) }
    for (source, run) in runs {
      let block = try block(run, of: source, from: snapshot.count, declarations)
      try snapshot.append(block, keys: source.keys)
    }
    for list in facts.missing { try append(list, declarations, to: &snapshot) }
    try snapshot.publish()
    return snapshot.count
  }

  private func block(
    _ run: ArraySlice<InspectedRecord>, of source: RecordSource, from rank: Int,
    _ declarations: [TypeName: TypeDeclaration]
  ) throws(KinshipError) -> RecordBlock.Body {
    var block = RecordBlock.Body()
    for record in run {
      guard let type = declarations[record.type]?.number else { continue }
      let bytes = try source.withRecord(at: record.offset, record.extent) {
        bytes throws(KinshipError) in Array(bytes)
      }
      block.append(bytes, type: type, rank: rank, age: record.age ?? 0)
    }
    return block
  }

  private func append(
    _ list: InspectedIDs, _ declarations: [TypeName: TypeDeclaration],
    to snapshot: inout SnapshotFile
  ) throws {
    let encoder = try CoderTable.coder(coder, given: nil, path: path).makeEncoder(keys: [])
    var ids: [UInt8] = []
    for id in list.ids {
      var bytes: [UInt8] = []
      try encoder.encode(id, into: &bytes)
      ids.append(varint: bytes.count)
      ids += bytes
    }
    let payload = IDList.payload(
      name: list.name, type: declarations[list.type]?.number ?? 0, keys: encoder.keys,
      count: list.ids.count, ids)
    try snapshot.append(ids: payload, name: list.name, count: list.ids.count)
  }
}

extension SnapshotFile {
  /// Appends records that have keys in common.
  mutating func append(_ block: RecordBlock.Body, keys: [String]) throws(SystemError) {
    if block.count > 0 { try append(records: block.payload(keys: keys), count: block.count) }
  }
}
