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

  var bytes: [UInt8] {
    var payload: [UInt8] = []
    payload.append(segment: number, identity)
    payload.append(varint: end)
    payload.append(varint: lastSequence)
    vocabulary.write(to: &payload)
    payload.append(varint: entries.count)
    payload.append(contentsOf: entries.bytes)
    return FileHeader.Kind.hint.file(LogFrame.hint, payload)
  }
}

extension Hint {
  /// A summary of a segment with these entries up to an offset, and up to a commit.
  init(of segment: LogSegment, to end: Int, _ lastSequence: UInt64, _ entries: HintEntries) {
    self.init(
      number: segment.number, identity: segment.identity, end: end, lastSequence: lastSequence,
      vocabulary: segment.vocabulary.whole, entries: entries)
  }

  init(_ file: [UInt8], path: String) throws(KinshipError) {
    self = try FileHeader.Kind.hint.readFile(file, LogFrame.hint, path: path) {
      reader throws(KinshipError) in
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
}

/// The entries of a hint, in the order of the log.
struct HintEntries: Sendable {
  private(set) var count = 0
  private(set) var bytes: [UInt8] = []

  /// Appends an entry: kind, type and id, and its position if it is put.
  mutating func append(
    _ kind: LogEntry.Kind, type: Int, id: some Collection<UInt8>, offset: Int, length: Int
  ) {
    count += 1
    bytes.append(kind.rawValue)
    bytes.append(varint: type)
    bytes.append(contentsOf: id)
    guard kind == .put else { return }
    bytes.append(varint: offset)
    bytes.append(varint: length)
  }

  func forEach(
    path: String,
    _ body: (LogEntry.Kind, Int, UnsafeRawBufferPointer, (offset: Int, length: Int))
      throws(KinshipError) -> Void
  ) throws(KinshipError) {
    try bytes.read(of: path) { reader throws(KinshipError) in
      for _ in 0..<count {
        guard let kind = LogEntry.Kind(rawValue: try reader.read(UInt8.self)) else {
          throw reader.damage("an entry has an unknown kind")
        }
        let type = try reader.readNumber()
        let start = reader.offset
        try IDForm.skip(&reader)
        let id = reader.bytes(from: start)
        let isPut = kind == .put
        let offset = isPut ? try reader.readNumber() : 0
        let length = isPut ? try reader.readNumber() : 0
        try body(kind, type, id, (offset, length))
      }
      try reader.finish()
    }
  }
}
