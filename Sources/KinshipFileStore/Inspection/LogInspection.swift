internal import Kinship
internal import KinshipInspection

/// Reads the directory of a store as if to open it, and changes nothing.
struct LogInspection {
  private let files: any FileSystem
  private let path: String
  private let readsAll: Bool
  private let renamed: [String: String]
  private var facts = StoreFacts()
  private var live: [RecordIdentity: (record: InspectedRecord, segment: UInt32)] = [:]
  private var types: [InspectedType] = []
  private var damage: [FileDamage] = []
  /// The hints, opened before the sizes of the segments were read.
  private var hints: [String: any OpenFile] = [:]

  /// The maximum number of attempts while files are created and removed.
  private static let attempts = 1_000

  init(_ files: any FileSystem, at path: String, readsAll: Bool, renamed: [String: String]) {
    self.files = files
    self.path = path
    self.readsAll = readsAll
    self.renamed = renamed
  }

  mutating func read(_ progress: (Double) -> Void) throws -> Inspection {
    let directory = try files.openDirectory(path)
    var (opening, found, view) = try findSegments(in: directory)
    for fault in found.flatMap(\.damage) { try opening.report(fault) }
    var last: LoadedSegment?
    for (index, segment) in found.enumerated() {
      let next = index == found.count - 1 ? nil : found[index + 1]
      let sequence = last?.contents.sequence
      let faults = opening.report.damage.count
      var loaded = try opening.load(segment, before: next, after: sequence, in: view)
      if readsAll, opening.report.damage.count > faults {
        // A hint still lists the records of a damaged commit, and each has its own checksum.
        let report = opening.report
        loaded = try opening.load(
          segment, before: next, after: sequence, in: view.showing(hints))
        opening.report = report
      }
      try addContents(loaded)
      if readsAll {
        let isWhole = !opening.report.damage.contains { $0.file == segment.file.path }
        try verifyHint(of: loaded, isWhole)
      }
      last = loaded
      progress(Double(index + 1) / Double(found.count))
    }
    facts.lastCommit = last?.contents.sequence ?? 0
    facts.uncommitted = opening.report.cut
    facts.uncommittedBytes = opening.report.cutBytes
    damage = opening.report.damage + damage
    return inspection()
  }

  private mutating func inspection() -> Inspection {
    var inspection = Inspection(path: path, kind: .store(facts))
    let places = Dictionary(
      facts.segments.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    inspection.records = live.values.sorted {
      ($0.segment, $0.record.offset) < ($1.segment, $1.record.offset)
    }.map(\.record)
    for (record, segment) in live.values {
      guard let place = places[segment] else { continue }
      facts.segments[place].liveBytes += record.extent
    }
    inspection.kind = .store(facts)
    inspection.types = types
    inspection.damage = damage
    inspection.count()
    return inspection
  }

  /// Opens all files as they are at one moment, although others may be writing.
  ///
  /// Files are created and removed while their names are listed. If two lists are equal, and all
  /// files were opened in between, they are the files of one moment in between. Hints and the mark
  /// are read before any size, so they never name synced bytes beyond those sizes.
  private mutating func findSegments(
    in directory: any Directory
  ) throws -> (LogOpening, [FoundSegment], ReadOnlyDirectory) {
    for attempt in 1...Self.attempts {
      do {
        let names = try names(in: directory)
        if names.isEmpty { throw KinshipError.file(.foreign(path: path)) }
        hints = [:]
        for name in names where SegmentName.hintNumber(name) != nil {
          hints[name] = try directory.open(name, .read)
        }
        let view = ReadOnlyDirectory(directory, names: names, hints: readsAll ? [:] : hints)
        var opening = try makeOpening()
        try opening.readMarks(in: view)
        // A mark that is just being written is incomplete too.
        let isMarkDamaged = opening.mark == nil && names.contains(SegmentName.mark)
        let found = try opening.findSegments(in: view)
        let size = try names.reduce(0) { try $0 + directory.open($1, .read).size() }
        guard try self.names(in: directory) == names else { continue }
        if isMarkDamaged, attempt < 10 { continue }
        if isMarkDamaged { report("\(path)/\(SegmentName.mark)", 0, "the mark is not whole") }
        facts.totalBytes = size
        facts.isBackup = opening.backup != nil
        return (opening, found, view)
      } catch let error as SystemError where error.code == SystemErrorCode.missing {
        // It was removed since the names were listed.
      }
    }
    throw KinshipError.file(.inUse(path: path))
  }

  private func makeOpening() throws(KinshipError) -> LogOpening {
    let schema = try GraphSchema(types: [])
    return LogOpening(
      LogEnvironment(
        files: files, path: path, schema: schema, coder: CompactCoder(), damage: .salvage,
        migrations: .leavingOutAll, tuning: LogTuning()),
      try LockedCatalog(schema))
  }

  private func names(in directory: any Directory) throws(SystemError) -> [String] {
    try directory.list().filter {
      [SegmentName.mark, SegmentName.backup].contains($0) || SegmentName.logNumber($0) != nil
        || SegmentName.hintNumber($0) != nil
    }.sorted()
  }

  private mutating func report(_ file: String, _ offset: Int, _ cause: String) {
    damage.append(FileDamage(file: file, offset: offset, cause: cause))
  }

  private mutating func addContents(_ loaded: LoadedSegment) throws(KinshipError) {
    let (found, contents) = (loaded.found, loaded.contents)
    let first = found.start?.firstSequence ?? 1
    facts.segments.append(
      StoreFacts.Segment(
        number: found.number, bytes: contents.end, coder: contents.segment.coder.name,
        commits: contents.sequence >= first ? first...contents.sequence : nil))
    let source = RecordSource(
      found.file, coder: contents.segment.coder, keys: contents.vocabulary.keys,
      segment: found.number)
    let names = contents.vocabulary.types.map { name(of: $0.declaration) }
    types += zip(names, contents.vocabulary.types).map {
      InspectedType($0, fields: $1.declaration.fields)
    }
    try contents.entries.forEach(path: found.file.path) {
      kind, type, id, place throws(KinshipError) in
      guard names.indices.contains(type) else { return }
      let record = InspectedRecord(
        type: names[type], id: IDForm.value(of: id, by: source.decoder), offset: place.offset,
        byteCount: place.length, source: source, extent: place.length)
      live[record.identity] = kind == .deleted ? nil : (record, found.number)
      if readsAll { try verify(record, isPut: kind == .put) }
    }
  }

  private func name(of declaration: TypeDeclaration) -> TypeName {
    TypeName(
      name: renamed[declaration.name] ?? declaration.name, version: declaration.version)
  }

  private mutating func verify(_ record: InspectedRecord, isPut: Bool) throws(KinshipError) {
    if record.id == nil { damage.append(record.damage("its id cannot be decoded")) }
    guard isPut else { return }
    do throws(KinshipError) { _ = try record.value() } catch .file(.damaged(let fault)) {
      damage.append(record.damage(fault.cause))
    }
  }

  /// Checks a hint against the intact part of its segment.
  private mutating func verifyHint(
    of loaded: LoadedSegment, _ isWhole: Bool
  ) throws(KinshipError) {
    guard let file = hints[SegmentName.hint(loaded.found.number)] else { return }
    let bytes: [UInt8]
    do { bytes = try file.readBytes(try file.size(), at: 0) } catch {
      throw .file(.failed(path: file.path, cause: error))
    }
    let contents = loaded.contents
    do throws(KinshipError) {
      let hint = try Hint(bytes, path: file.path)
      if hint.number != loaded.found.number {
        report(file.path, 0, "it is the hint of segment \(hint.number)")
      } else if hint.identity == contents.segment.identity, isWhole {
        // Otherwise it belongs to an earlier segment of this number, and is not used.
        if hint.end > contents.end {
          report(loaded.found.file.path, contents.end, "it ends too early")
        } else if !contents.entries.bytes.starts(with: hint.entries.bytes) {
          report(file.path, 0, "the hint does not say what is in its segment")
        }
      }
    } catch {
      guard case .file(.damaged(let fault)) = error else {
        return report(file.path, 0, "it is no hint that can be read")
      }
      damage.append(fault)
    }
  }
}

/// A directory in which no call changes anything: repairs have no effect.
///
/// So the code that opens a log can also read one that another process writes.
final class ReadOnlyDirectory: Directory {
  private let directory: any Directory
  /// The names at one moment; files created since are invisible.
  private let names: [String]
  /// The hints of the segments at that moment.
  private let hints: [String: any OpenFile]

  init(_ directory: any Directory, names: [String], hints: [String: any OpenFile]) {
    self.directory = directory
    self.names = names
    self.hints = hints
  }

  func showing(_ hints: [String: any OpenFile]) -> ReadOnlyDirectory {
    ReadOnlyDirectory(directory, names: names, hints: hints)
  }

  var path: String { directory.path }

  func tryOpen(_ name: String, _ mode: OpenMode) throws(SystemError) -> any OpenFile {
    if let hint = hints[name] { return hint }
    if mode == .create || SegmentName.hintNumber(name) != nil {
      throw SystemError(.open, name, SystemErrorCode.missing)
    }
    return try directory.tryOpen(name, .read)
  }

  func tryList() -> [String] { names }
  func tryIsLink(_ name: String) throws(SystemError) -> Bool { try directory.tryIsLink(name) }
  func tryRename(_ name: String, to other: String) {}
  func tryRemove(_ name: String) {}
  func trySync() {}
}
