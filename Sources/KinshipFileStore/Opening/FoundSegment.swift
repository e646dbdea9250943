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
  /// The offset of its first commit.
  let firstCommit: Int

  /// Reads the beginning of a segment.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - directory: The directory of the log.
  ///   - mode: The mode for opening it.
  ///   - listed: Its item in the manifest of a backup; `nil` if the directory is no backup.
  /// - Throws: `SystemError`, `KinshipError.foreignFile` and `.newerFormat`.
  init(
    _ number: UInt32, in directory: any Directory, _ mode: OpenMode,
    listed: BackupManifest.Segment? = nil
  ) throws {
    self.number = number
    file = try directory.open(SegmentName.log(number), mode)
    fileSize = try file.size()
    size = min(fileSize, listed?.length ?? .max)
    var damage: [FileDamage] = []
    do {
      let header = try file.readBytes(min(FileHeader.size, size), at: 0)
      try header.span.bytes.withUnsafeBytes { [file] bytes throws(KinshipError) in
        try FileHeader.check(bytes, is: .log, path: file.path)
      }
    } catch KinshipError.damaged(let found) { damage.append(found) }
    do {
      (start, firstCommit) = try Self.start(number, file, size)
    } catch KinshipError.damaged(let found) {
      damage.append(found)
      (start, firstCommit) = (nil, FileHeader.size)
    }
    if let listed, size < listed.length || start.map({ $0.identity != listed.identity }) ?? false {
      damage.append(
        FileDamage(file: file.path, offset: size, cause: "it is not what the backup says"))
    }
    self.damage = damage
  }

  private static func start(
    _ number: UInt32, _ file: any OpenFile, _ size: Int
  ) throws -> (SegmentStart, Int) {
    var reader = FrameReader(
      file, path: file.path, from: FileHeader.size, to: size, salvages: false)
    guard let frame = try reader.next(), frame.kind == LogFrame.start else {
      throw KinshipError.damaged(
        FileDamage(
          file: file.path, offset: FileHeader.size, cause: "there is no start of a segment"))
    }
    let start = try frame.payload.span.bytes.withUnsafeBytes { bytes throws(KinshipError) in
      var reader = ByteReader(bytes, of: file.path, at: frame.payloadOffset)
      return try SegmentStart(from: &reader)
    }
    guard start.number == number else {
      throw KinshipError.damaged(
        FileDamage(
          file: file.path, offset: FileHeader.size, cause: "it is segment \(start.number)"))
    }
    return (start, reader.offset)
  }
}
