public import Kinship

/// Opens the log of a store: finds its segments, and detects damage.
struct LogOpening {
  let environment: LogEnvironment
  let catalog: LockedCatalog
  var report = FileStoreReport()
  /// The end of the synced log, if known.
  var mark: LogMark?
  /// The manifest of the directory if it is a backup.
  var backup: BackupManifest?
  /// The mode for opening files; nothing is changed if they are only read.
  private var mode = OpenMode.update

  init(_ environment: LogEnvironment, _ catalog: LockedCatalog) {
    self.environment = environment
    self.catalog = catalog
  }

  /// Opens the log.
  ///
  /// 1. Lock the directory, and remove files that an interrupted program has left.
  /// 2. Load each segment: its hint, and the part after the hint. Nothing is changed until all are
  ///    loaded.
  /// 3. Cut the last segment at the first commit that was not completely written.
  /// 4. Write missing hints.
  /// 5. If the directory is a backup, make it a store: remove the files that are no part of it, and
  ///    then its manifest.
  mutating func open() throws -> Log {
    let directory = try environment.files.openDirectory(environment.path, creating: true)
    let lock = try directory.openOrCreate(SegmentName.lock)
    guard try lock.lock() else { throw KinshipError.file(.inUse(path: environment.path)) }
    try readMarks(in: directory)
    let found = try findSegments(in: directory)
    guard !found.isEmpty else {
      let log = try makeLog(in: directory, lock)
      if environment.damage == .salvage { try salvage(log) }
      return log
    }
    var loaded = try load(found, in: directory)
    for segment in loaded { try repairTail(segment, in: directory) }
    if backup != nil { try removeBackup(in: directory, keeping: Set(found.map(\.number))) }
    let last = loaded.removeLast()
    let log = Log(
      environment, directory, lock: lock, mark: backup == nil ? mark : nil, catalog,
      active(last.contents, last.found.firstCommit), hintEnd: last.hintEnd,
      sealed: loaded.map(\.sealed))
    log.noteSynced()
    if environment.damage == .salvage { try salvage(log) }
    // From now on another coder writes the records.
    if last.contents.segment.coder.name != environment.coder.name { try log.seal() }
    report.records = catalog.read { $0.locations.reduce(0) { $0 + $1.count } }
    return log
  }

  /// Opens the log for reading, while another process may write it.
  ///
  /// Nothing is locked or changed. An incomplete commit at the end is not committed yet.
  ///
  /// - Throws: `SystemError` and `KinshipError`; also because of concurrent changes.
  mutating func follow(in directory: any Directory) throws -> FollowedLog {
    mode = .read
    try readMarks(in: directory)
    let found = try findSegments(in: directory)
    var loaded = try load(found, in: directory)
    (report.cut, report.cutBytes) = (nil, 0)
    report.records = catalog.read { $0.locations.reduce(0) { $0 + $1.count } }
    guard let last = loaded.popLast() else { return FollowedLog() }
    return try FollowedLog(
      sealed: loaded.map(\.sealed), last.contents, start: last.found.firstCommit,
      isBackup: backup != nil)
  }

  private mutating func load(
    _ found: [FoundSegment], in directory: any Directory
  ) throws -> [LoadedSegment] {
    for damage in found.flatMap(\.damage) { try report(damage) }
    var loaded: [LoadedSegment] = []
    for (index, segment) in found.enumerated() {
      let next = index == found.count - 1 ? nil : found[index + 1]
      loaded.append(
        try load(segment, before: next, after: loaded.last?.contents.sequence, in: directory))
    }
    return loaded
  }

  mutating func readMarks(in directory: any Directory) throws {
    mark = try directory.bytes(of: SegmentName.mark).flatMap { LogMark($0) }
    do { backup = try BackupManifest(in: directory) } catch KinshipError.file(.damaged(let damage))
    {
      try report(damage)
      try directory.remove(SegmentName.backup)
    }
    if let backup { mark = try backup.mark(in: directory) }
  }

  /// Turns a loaded backup into a store.
  private func removeBackup(
    in directory: any Directory, keeping numbers: Set<UInt32>
  ) throws(SystemError) {
    for name in try directory.list() {
      let isStray = SegmentName.logNumber(name).map { !numbers.contains($0) } ?? false
      if isStray || SegmentName.hintNumber(name) != nil || name == SegmentName.mark {
        try directory.remove(name)
      }
    }
    try directory.sync()
    try directory.remove(SegmentName.backup)
    try directory.sync()
  }

  private func makeLog(in directory: any Directory, _ lock: any OpenFile) throws -> Log {
    let new = try NewSegment(
      1, after: 0, sequence: 0, environment, directory,
      encoder: environment.coder.makeEncoder(keys: []))
    try new.publish(with: [])
    catalog.change { $0.space.add(new.active.segment, size: new.active.end) }
    let log = Log(
      environment, directory, lock: lock, mark: nil, catalog, new.active, hintEnd: nil,
      sealed: [])
    log.noteSynced()
    return log
  }

  /// The last segment, ready to be appended to.
  private func active(_ contents: SegmentContents, _ start: Int) -> ActiveSegment {
    let segment = contents.segment
    return ActiveSegment(
      segment: segment, start: start, end: contents.end, sequence: contents.sequence,
      synced: contents.end, syncedSequence: contents.sequence,
      encoder: segment.coder.makeEncoder(keys: contents.vocabulary.keys), hint: contents.entries)
  }

  mutating func findSegments(in directory: any Directory) throws -> [FoundSegment] {
    let names = try directory.list()
    if mode != .read {
      for name in names where FileReplacement.isTemporary(name) { try directory.remove(name) }
    }
    if let backup {
      // Other files are left over from an interrupted update of the backup.
      return try backup.segments.map {
        try FoundSegment($0.number, in: directory, mode, listed: $0)
      }
    }
    let numbers = names.compactMap(SegmentName.logNumber).sorted()
    let hints = names.compactMap(SegmentName.hintNumber).sorted()
    let known = Set(numbers + hints + (mark.map { [$0.number] } ?? [])).sorted()
    // Segments are removed oldest first: each after the mark no longer needs it, and before its
    // hint.
    var expected = min(numbers.first ?? known.first ?? 1, mark?.first ?? .max)
    if mode != .read {
      for hint in hints where hint < expected { try directory.remove(SegmentName.hint(hint)) }
    }
    for number in known where number >= expected {
      if number != expected || !numbers.contains(number) {
        let missing = SegmentName.log(number == expected ? number : expected)
        try report(
          FileDamage(
            file: "\(directory.path)/\(missing)", offset: 0, cause: "the segment is missing"))
      }
      expected = number < .max ? number + 1 : number
    }
    return try numbers.map { try FoundSegment($0, in: directory, mode) }
  }

  /// Records damage, if salvaging skips it; otherwise throws it.
  mutating func report(_ damage: FileDamage) throws(KinshipError) {
    guard environment.damage == .salvage else { throw .file(.damaged(damage)) }
    report.damage.append(damage)
  }
}

/// The findings of opening a ``FileStore``.
public struct FileStoreReport: Sendable {
  /// The number of records.
  public internal(set) var records = 0
  /// The place where the log was cut because its last commit was incomplete; `nil` if nothing was
  /// cut.
  ///
  /// A cut is normal after the program or the machine has crashed. The lost commits were not
  /// acknowledged, or not yet synced, as the store's ``FileStore/Durability`` allows.
  public internal(set) var cut: FileDamage?
  /// The number of bytes that were cut off.
  public internal(set) var cutBytes = 0
  /// The damage that was skipped; always empty unless the store was opened to salvage.
  public internal(set) var damage: [FileDamage] = []
  /// The number of segments that were read completely, because they had no usable hint file.
  public internal(set) var scannedSegments = 0
}
