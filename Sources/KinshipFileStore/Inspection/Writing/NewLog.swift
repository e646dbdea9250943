internal import Kinship
internal import KinshipInspection

/// Writes a new log without the types of its records.
struct NewLog {
  /// A record and its id, as encoded in an entry.
  struct Entry {
    let type: Int
    let id: [UInt8]
    let record: [UInt8]
  }

  private let directory: any Directory
  private var segment: FileReplacement?
  private var number: UInt32 = 0
  private var sequence: UInt64 = 0
  private var previousEnd = 0
  /// The numbers of keys and types that the segment has declared.
  private var (keyCount, typeCount) = (0, 0)
  /// The number of written records.
  private(set) var count = 0

  /// The number of record bytes in a commit; one more record may exceed it.
  static let commitSize = 1 << 18

  init(in directory: any Directory) { self.directory = directory }

  /// The bytes of the segment that is being written.
  var size: Int { segment?.count ?? 0 }

  /// Begins a segment, for records that have keys in common.
  mutating func begin(coder: String) throws {
    try publish()
    number += 1
    (keyCount, typeCount) = (0, 0)
    let start = SegmentStart(
      number: number, identity: .random(in: 0 ... .max), firstSequence: sequence + 1,
      previousEnd: previousEnd, coder: coder)
    let segment = try FileReplacement(of: SegmentName.log(number), in: directory)
    try segment.append(FileHeader(.log).bytes)
    try segment.append(kind: LogFrame.start, start.payload)
    self.segment = segment
  }

  /// Appends a commit to the segment.
  ///
  /// - Parameters:
  ///   - entries: The records.
  ///   - keys: All keys that records of the segment refer to so far.
  ///   - types: All types of its records so far, by number.
  /// - Throws: `SystemError`.
  mutating func commit(
    _ entries: [Entry], keys: [String], types: [TypeDeclaration]
  ) throws(SystemError) {
    guard let segment else { return }
    sequence += 1
    count += entries.count
    var growth = VocabularyGrowth()
    (growth.firstKey, growth.firstType) = (keyCount, typeCount)
    growth.keys = Array(keys[keyCount...])
    growth.types = Array(types[typeCount...])
    (keyCount, typeCount) = (keys.count, types.count)
    var payload = CommitHead(
      sequence: sequence, synced: segment.count, growth: growth, count: entries.count
    ).bytes
    let place = segment.count + FrameHeader.size
    for entry in entries {
      let start = payload.count
      LogEntry.append(.put, type: entry.type, id: entry.id, record: entry.record, to: &payload)
      LogEntry.prove(start..<payload.count, in: &payload, at: place + start, of: number)
    }
    try segment.append(kind: LogFrame.commit, payload)
  }

  /// Ends the last segment, and creates one if there is none.
  ///
  /// - Parameter coder: The coder of the segment if there are no records.
  /// - Throws: `SystemError` and `FileReplacementError`.
  mutating func finish(coder: String) throws {
    if number == 0 { try begin(coder: coder) }
    try publish()
  }

  private mutating func publish() throws(FileReplacementError) {
    guard let segment else { return }
    try segment.publish()
    previousEnd = segment.count
    self.segment = nil
  }
}

extension FileReplacement {
  func append(_ bytes: [UInt8]) throws(SystemError) {
    try bytes.span.bytes.withUnsafeBytes { bytes throws(SystemError) in try write(bytes) }
  }

  func append(kind: UInt8, _ payload: [UInt8]) throws(SystemError) {
    try append(FrameHeader(kind: kind, of: payload).bytes(at: count))
    try append(payload)
  }
}
