internal import Kinship

/// A segment that was found while a store is opened.
struct FoundSegment {
  let number: UInt32
  let file: any OpenFile
  /// The number of bytes that may be part of the log.
  let size: Int
  /// The number of all bytes of the file.
  let fileSize: Int
  /// Its first frame; `nil` if that is damaged.
  let start: SegmentStart?
  /// The damage at its beginning.
  let damage: [FileDamage]
  let firstCommit: Int

  /// Reads the beginning of a segment, whose item in the manifest is `listed` if this is a backup.
  init(
    _ number: UInt32, in directory: any Directory, _ mode: OpenMode,
    listed: BackupManifest.Segment? = nil
  ) throws {
    self.number = number
    file = try directory.open(SegmentName.log(number), mode)
    fileSize = try file.size()
    size = min(fileSize, listed?.length ?? .max)
    var (frames, damage) = (FrameReader(file, to: size, salvages: false), [FileDamage]())
    do { try frames.readHeader(of: .log) } catch KinshipError.file(.damaged(let found)) {
      damage.append(found)
    }
    var start: SegmentStart?
    do {
      let found = try SegmentStart.read(&frames, path: file.path)
      guard found.number == number else {
        throw KinshipError.damage(
          to: file.path, at: FileHeader.size, "it is segment \(found.number)")
      }
      start = found
    } catch KinshipError.file(.damaged(let found)) { damage.append(found) }
    if let listed, size < listed.length || start.map({ $0.identity != listed.identity }) ?? false {
      damage.append(
        FileDamage(file: file.path, offset: size, cause: "it differs from what the backup lists"))
    }
    self.damage = damage
    self.start = start
    firstCommit = start == nil ? FileHeader.size : frames.offset
  }

  func damage(at offset: Int, _ cause: String) -> FileDamage {
    FileDamage(file: file.path, offset: offset, cause: cause)
  }
}

/// A segment that was loaded while a store is opened.
struct LoadedSegment {
  let found: FoundSegment
  let contents: SegmentContents
  /// The offset at which the used hint ends; `nil` if none was used.
  let hintEnd: Int?
  let isLast: Bool

  /// The segment, if it is not written any more.
  var sealed: Log.SealedSegment {
    Log.SealedSegment(segment: contents.segment, start: found.firstCommit, end: contents.end)
  }
}
