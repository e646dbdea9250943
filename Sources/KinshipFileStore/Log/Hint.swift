internal import Kinship

/// A summary of a segment up to some offset, so that opening need not read it: ids and positions.
///
/// It also proves that the segment was synced to disk up to that offset.
struct Hint: Sendable {
  let number: UInt32
  let identity: UInt64
  /// The offset in the segment at which the summary ends.
  let end: Int
  /// The sequence number of the last commit before.
  let lastSequence: UInt64
  let vocabulary: VocabularyGrowth
  var entries: HintEntries

  /// The bytes of the file.
  var bytes: [UInt8] {
    var payload: [UInt8] = []
    payload.append(segment: number, identity)
    payload.append(varint: end)
    payload.append(varint: lastSequence)
    vocabulary.write(to: &payload)
    payload.append(varint: entries.count)
    payload.append(contentsOf: entries.bytes)
    let header = FrameHeader(kind: LogFrame.hint, of: payload)
    return FileHeader(.hint).bytes + header.bytes(at: FileHeader.size) + payload
  }

  init(
    number: UInt32, identity: UInt64, end: Int, lastSequence: UInt64,
    vocabulary: VocabularyGrowth, entries: HintEntries
  ) {
    self.number = number
    self.identity = identity
    self.end = end
    self.lastSequence = lastSequence
    self.vocabulary = vocabulary
    self.entries = entries
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `KinshipError.damaged`, `.foreignFile` and `.newerFormat`.
  init(_ file: [UInt8], path: String) throws(KinshipError) {
    self = try file.span.bytes.withUnsafeBytes { file throws(KinshipError) in
      try Self.read(file, path: path)
    }
  }

  private static func read(
    _ file: UnsafeRawBufferPointer, path: String
  ) throws(KinshipError) -> Hint {
    try FileHeader.check(file, is: .hint, path: path)
    let frame = UnsafeRawBufferPointer(rebasing: file[FileHeader.size...])
    let start = FileHeader.size + FrameHeader.size
    guard let header = FrameHeader(frame, at: FileHeader.size), header.kind == LogFrame.hint,
      header.matches(UnsafeRawBufferPointer(rebasing: file[start...]))
    else {
      throw .damaged(
        FileDamage(file: path, offset: FileHeader.size, cause: "the checksum of a frame is wrong"))
    }
    var reader = ByteReader(
      UnsafeRawBufferPointer(rebasing: file[start...]), of: path, at: start)
    let (number, identity) = try reader.readSegment()
    let end = try reader.readNumber()
    let lastSequence = UInt64(try reader.readNumber())
    let vocabulary = try VocabularyGrowth(from: &reader)
    let count = try reader.readCount(ofAtLeast: LogEntry.minimumSize)
    let entries = HintEntries(count: count, bytes: Array(try reader.read(reader.remaining)))
    return Hint(
      number: number, identity: identity, end: end, lastSequence: lastSequence,
      vocabulary: vocabulary, entries: entries)
  }
}
