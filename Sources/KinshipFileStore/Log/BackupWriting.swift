internal import Kinship

/// Makes a backup.
///
/// 1. Lock the directory. If it is new, write an empty manifest: the backup is not finished.
/// 2. Copy the segments that the backup does not have, and the new bytes of those that have grown.
///    All of it lies beyond what the manifest names.
/// 3. Sync everything, then replace the manifest.
/// 4. Remove the files that no longer belong to the backup.
struct BackupWriting {
  private let directory: any Directory
  /// Held for the lifetime of this value.
  private let lock: any OpenFile
  private let segments: [Log.SealedSegment]
  private let known: BackupManifest
  private var report = FileStoreBackup()

  init(_ segments: [Log.SealedSegment], to path: String, in files: any FileSystem) throws {
    self.segments = segments
    directory = try files.openDirectory(path, creating: true)
    lock = try directory.openOrCreate(SegmentName.lock)
    guard try lock.lock() else { throw KinshipError.file(.inUse(path: path)) }
    let names = try directory.list()
    for name in names where FileReplacement.isTemporary(name) { try directory.remove(name) }
    if let known = try BackupManifest(in: directory) {
      self.known = known
    } else {
      // A store, or a backup that was opened as a store.
      if let name = names.first(where: { SegmentName.logNumber($0) != nil }) {
        throw KinshipError.file(.foreign(path: "\(path)/\(name)"))
      }
      known = BackupManifest(segments: [])
      try FileReplacement.replace(SegmentName.backup, in: directory, with: known.bytes)
    }
    let last = segments.last?.segment.number ?? 0
    for listed in known.segments {
      let segment = segments.first { $0.segment.number == listed.number }
      let isForeign =
        segment.map { $0.segment.identity != listed.identity || $0.end < listed.length }
      if listed.number > last || isForeign ?? false {
        throw KinshipError.file(.foreign(path: "\(path)/\(SegmentName.log(listed.number))"))
      }
    }
  }

  /// Copies the bytes that the backup does not have.
  mutating func copy() throws {
    for segment in segments {
      try Task.checkCancellation()
      let name = SegmentName.log(segment.segment.number)
      guard let listed = known.segments.first(where: { $0.number == segment.segment.number }) else {
        let file = try directory.openOrCreate(name)
        // Left by an earlier attempt.
        try file.truncate(to: 0)
        try copy(segment, to: file, from: 0)
        continue
      }
      let (reused, isLast) = (listed.length, listed == known.segments.last)
      report.reusedBytes += reused
      if isLast || reused < segment.end {
        let file = try directory.open(name, .update)
        // If a copy of the store has diverged, it did so in this segment.
        if isLast { try verify(file, isBeginningOf: segment.segment, reused) }
        if reused < segment.end {
          try copy(segment, to: file, from: reused)
          continue
        }
      }
      report.reusedSegments += 1
    }
  }

  private mutating func copy(
    _ sealed: Log.SealedSegment, to file: any OpenFile, from start: Int
  ) throws {
    report.copiedSegments += 1
    for range in Chunk.ranges(sealed.end - start, of: Chunk.bytes) {
      try Task.checkCancellation()
      let offset = start + range.lowerBound
      let bytes = try sealed.segment.file.readBytes(range.count, at: offset)
      guard bytes.count == range.count else {
        throw SystemError(.read, sealed.segment.path, SystemErrorCode.deviceFailed)
      }
      try file.write(bytes, at: offset)
      report.copiedBytes += range.count
    }
    try file.sync()
  }

  private func verify(
    _ file: any OpenFile, isBeginningOf segment: LogSegment, _ count: Int
  ) throws {
    for range in Chunk.ranges(count, of: Chunk.bytes) {
      let bytes = try file.readBytes(range.count, at: range.lowerBound)
      guard bytes.count == range.count,
        try segment.file.readBytes(range.count, at: range.lowerBound) == bytes
      else {
        throw KinshipError.file(.foreign(path: file.path))
      }
    }
  }

  /// Finishes the backup by replacing the manifest.
  func finish() throws(SystemError) -> FileStoreBackup {
    try directory.sync()
    let new = BackupManifest(
      segments: segments.map { segment in
        BackupManifest.Segment(
          number: segment.segment.number, identity: segment.segment.identity, length: segment.end)
      })
    // F5: bytes that the manifest does not name are not part of the backup, so until now it is the
    // old one.
    if new != known {
      try FileReplacement.replace(SegmentName.backup, in: directory, with: new.bytes)
    }
    let numbers = Set(new.segments.map(\.number))
    for name in try directory.list() {
      if let number = SegmentName.logNumber(name), !numbers.contains(number) {
        try directory.remove(name)
      }
    }
    return report
  }
}

/// The result of a backup of a ``FileStore``.
public struct FileStoreBackup: Hashable, Sendable {
  /// The number of segments of the log that were copied, completely or in part.
  public internal(set) var copiedSegments = 0
  /// The number of segments that the backup already had.
  public internal(set) var reusedSegments = 0
  /// The number of bytes that were copied.
  public internal(set) var copiedBytes = 0
  /// The number of bytes that the backup already had.
  public internal(set) var reusedBytes = 0
}
