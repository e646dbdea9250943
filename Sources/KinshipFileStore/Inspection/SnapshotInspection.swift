internal import Kinship
internal import KinshipInspection

/// Reads the intact parts of a snapshot without the types of its records.
struct SnapshotInspection {
  private let path: String
  private let file: any OpenFile
  private let checksRecords: Bool
  private var facts = SnapshotFacts()
  private var coder: (any RecordCoder)?
  private var types: [Int: TypeDeclaration] = [:]
  private var records: [InspectedRecord] = []
  private var known: Set<RecordIdentity> = []
  private var footer: SnapshotFooter?
  private var damage: [FileDamage] = []

  init(_ files: any FileSystem, at path: String, readsAll: Bool) throws(SystemError) {
    self.path = path
    checksRecords = readsAll
    file = try files.openDirectory(parentPath(of: path)).open(fileName(of: path), .read)
    facts.size = try file.size()
  }

  mutating func read(_ progress: (Double) -> Void) throws(KinshipError) -> Inspection {
    var frames = FrameReader(file, path: path, to: facts.size, salvages: true)
    do throws(KinshipError) {
      try frames.readHeader(of: .snapshot)
    } catch .file(.damaged(let fault)) {
      // The frames after it have their own checksums.
      damage.append(fault)
    }
    while let frame = try frames.next() {
      if footer != nil {
        report(frame, "something follows the footer")
        footer = nil
      }
      do throws(KinshipError) { try read(frame) } catch .file(.damaged(let fault)) {
        damage.append(fault)
      }
      progress(Double(frames.offset) / Double(max(1, facts.size)))
    }
    for case .file(.damaged(let fault)) in frames.failures { damage.append(fault) }
    guard coder != nil else { throw .file(.damaged(damage.first ?? noHead)) }
    checkFooter(frames.offset)
    return inspection()
  }

  private var noHead: FileDamage {
    FileDamage(file: path, offset: FileHeader.size, cause: "there is no head")
  }

  private func inspection() -> Inspection {
    var inspection = Inspection(path: path, kind: .snapshot(facts))
    inspection.types = types.values.map { InspectedType($0.id, fields: $0.fields) }
    inspection.records = records
    inspection.damage = damage
    inspection.count()
    return inspection
  }

  private mutating func read(_ frame: Frame) throws(KinshipError) {
    let kind = SnapshotFrame(rawValue: frame.kind)
    if kind != .head, coder == nil {
      // Only the head says how to decode the records.
      throw .file(.damaged(noHead))
    }
    try frame.read { reader throws(KinshipError) in
      if frame.isDamaged, kind != .records {
        throw reader.damage("the checksum of a frame is wrong")
      }
      switch kind {
      case .head where coder == nil: try takeHead(&reader)
      case .type: try takeType(&reader)
      case .records: try takeRecords(&reader, isDamaged: frame.isDamaged)
      case .missing, .lease: try takeIDs(&reader)
      case .answer:
        facts.answers.append(Array(try reader.read(reader.remaining)))
        facts.formatVersion = 3
      case .footer: footer = try SnapshotFooter(from: &reader)
      case .head, nil: throw reader.damage("a frame has a kind that is not expected here")
      }
      try reader.finish()
    }
  }

  private mutating func takeHead(_ reader: inout ByteReader) throws(KinshipError) {
    let head = try SnapshotHead(from: &reader)
    coder = try CoderTable.coder(head.coder, given: nil, path: path)
    facts.coder = head.coder
    facts.moment = head.moment
    facts.captured = head.count
    facts.cursors = head.cursors.map(\.text)
    facts.formatVersion = head.version
  }

  private mutating func takeType(_ reader: inout ByteReader) throws(KinshipError) {
    let type = try TypeDeclaration(from: &reader)
    guard let known = types.updateValue(type, forKey: type.number) else { return }
    guard known.id == type.id else {
      types[type.number] = known
      throw reader.damage("two types have the same number")
    }
    // Its ids may come before its first record, which declares the fields.
    if type.fields.isEmpty { types[type.number] = known }
  }

  private mutating func takeRecords(
    _ reader: inout ByteReader, isDamaged: Bool
  ) throws(KinshipError) {
    if isDamaged { report(reader, "the checksum of a frame is wrong") }
    let head = try RecordBlock.Head(from: &reader)
    guard let coder else { return }
    let source = RecordSource(file, coder: coder, keys: head.keys)
    for _ in 0..<head.count {
      let entry = try RecordBlock.EncodedRecord(
        from: &reader, in: head, isChecked: isDamaged || checksRecords)
      let offset = reader.position - entry.record.count - MemoryLayout<UInt32>.size
      if !entry.isIntact {
        // Its lengths may be wrong too; then the following bytes will not match either.
        report(reader, "the checksum of a record that ends here is wrong")
        continue
      }
      guard let type = types[entry.type]?.id else {
        report(reader, "a record has a type that was not declared")
        continue
      }
      let id = try? source.decoder.decode(IDField.self, from: entry.record).id
      let record = InspectedRecord(
        type: type, id: id, offset: offset, byteCount: entry.record.count, age: entry.age,
        source: source, extent: entry.record.count)
      if id != nil, !known.insert(record.identity).inserted {
        damage.append(record.damage("the record is stored twice"))
        continue
      }
      records.append(record)
      guard checksRecords else { continue }
      do { _ = try source.decoder.decode(FieldValue.self, from: entry.record) } catch {
        damage.append(record.undecodable(error))
      }
    }
  }

  private mutating func takeIDs(_ reader: inout ByteReader) throws(KinshipError) {
    let head = try IDList.Head(from: &reader)
    guard let coder, let type = types[head.type]?.id else {
      throw reader.damage("ids have a type that was not declared")
    }
    let decoder = coder.makeDecoder(keys: head.keys)
    var ids: [FieldValue] = []
    for _ in 0..<head.count {
      let bytes = try reader.read(try reader.readCount())
      do { ids.append(try decoder.decode(FieldValue.self, from: bytes)) } catch {
        throw reader.damage("an id cannot be decoded")
      }
    }
    let list = InspectedIDs(name: head.name, type: type, ids: ids)
    if head.name.isEmpty { facts.missing.append(list) } else { facts.leases.append(list) }
  }

  private mutating func checkFooter(_ end: Int) {
    guard let footer else {
      return damage.append(
        FileDamage(file: path, offset: end, cause: "the file ends without its footer"))
    }
    let missing = facts.missing.reduce(0) { $0 + $1.ids.count }
    let counts = [
      ("records", footer.records, records.count), ("missing ids", footer.missing, missing),
      ("leases", footer.leases, facts.leases.count),
    ]
    for (name, written, read) in counts where written != read {
      damage.append(
        FileDamage(
          file: path, offset: end,
          cause: "the footer counts \(written) \(name), and \(read) can be read"))
    }
  }

  private mutating func report(_ frame: Frame, _ cause: String) {
    damage.append(FileDamage(file: path, offset: frame.payloadOffset, cause: cause))
  }

  private mutating func report(_ reader: ByteReader, _ cause: String) {
    guard case .file(.damaged(let fault)) = reader.damage(cause) else { return }
    damage.append(fault)
  }
}

/// Decodes the id alone, of a record of any type.
private struct IDField: Decodable {
  let id: FieldValue?

  init(from decoder: any Decoder) throws {
    id = try decoder.container(keyedBy: FieldName.self)
      .decodeIfPresent(FieldValue.self, forKey: FieldName(stringValue: "id"))
  }
}

extension TypeDeclaration {
  var id: TypeName { TypeName(name: name, version: version) }
}
