internal import Kinship
internal import KinshipInspection

/// Writes a new log without the types of its records.
struct NewLog {
  private let directory: any Directory
  private var segment: FileReplacement?
  private var number: UInt32 = 0
  private var sequence: UInt64 = 0
  private var previousEnd = 0
  /// The numbers of keys and types that the segment has declared.
  private var (keyCount, typeCount) = (0, 0)
  private(set) var count = 0

  /// The number of record bytes in a commit; one more record may exceed it.
  static let commitSize = 1 << 18

  init(in directory: any Directory) { self.directory = directory }

  var size: Int { segment?.count ?? 0 }

  /// Begins a segment, for records that have keys in common.
  mutating func beginSegment(coder: String) throws {
    try publish()
    number += 1
    (keyCount, typeCount) = (0, 0)
    let start = SegmentStart(
      number: number, identity: .random(in: 0 ... .max), firstSequence: sequence + 1,
      previousEnd: previousEnd, coder: coder)
    let segment = try FileReplacement(of: SegmentName.log(number), in: directory)
    try segment.write(FileHeader.Kind.log.file(LogFrame.start, start.payload))
    self.segment = segment
  }

  /// Appends a commit of put records to the segment.
  ///
  /// The keys and types are all that the segment's records refer to so far.
  mutating func commit(
    _ entries: EntryBuffer, keys: [String], types: [TypeDeclaration]
  ) throws(SystemError) {
    guard let segment else { return }
    sequence += 1
    count += entries.marks.count
    let growth = VocabularyGrowth(
      firstKey: keyCount, keys: Array(keys[keyCount...]), firstType: typeCount,
      types: Array(types[typeCount...]))
    (keyCount, typeCount) = (keys.count, types.count)
    let payload = entries.payload(
      sequence: sequence, synced: segment.count, growth, at: segment.count, of: number
    ).bytes
    try segment.append(kind: LogFrame.commit, payload)
  }

  /// Ends the last segment, and creates one if there is none.
  mutating func finish(coder: String) throws {
    if number == 0 { try beginSegment(coder: coder) }
    try publish()
  }

  private mutating func publish() throws(FileReplacementError) {
    guard let segment else { return }
    try segment.publish()
    previousEnd = segment.count
    self.segment = nil
  }
}
