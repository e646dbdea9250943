internal import Kinship

/// Commits that are written together.
struct CommitGroup {
  /// A commit with its bytes.
  struct Commit {
    let parts: [any CommitPart]
    /// The offset of its entries in the segment.
    let offset: Int
    let marks: [EntryBuffer.Mark]
  }

  /// The number of the segment.
  let segment: UInt32
  /// The offset of the group in the segment.
  let start: Int
  private(set) var bytes: [UInt8] = []
  private(set) var commits: [Commit] = []
  /// The number of published commits.
  private var publishedCount = 0
  /// The sequence number of the last commit.
  private(set) var sequence: UInt64
  /// The types that entries of the group may refer to.
  private(set) var types: TypeNumbers
  /// The number of the encoder's keys in the segment.
  private(set) var keyCount: Int
  /// By type: the changes of the group to records.
  private var records: [ObjectIdentifier: any Sendable] = [:]
  /// By type: the fields of these records that the current type lacks.
  private var strange: [ObjectIdentifier: any Sendable] = [:]

  init(segment: UInt32, start: Int, sequence: UInt64, types: TypeNumbers, keyCount: Int) {
    self.segment = segment
    self.start = start
    self.sequence = sequence
    self.types = types
    self.keyCount = keyCount
  }

  var end: Int { start + bytes.count }

  /// Appends a commit.
  ///
  /// - Parameters:
  ///   - entries: Its entries.
  ///   - keys: All keys of the encoder.
  ///   - synced: The end of the synced part of the segment.
  ///   - path: The path of the segment, for errors.
  /// - Throws: `KinshipError.fileTooLarge`.
  mutating func append(
    _ entries: EntryBuffer, keys: [String], synced: Int, path: String
  ) throws(KinshipError) {
    var growth = VocabularyGrowth()
    growth.firstKey = keyCount
    growth.keys = Array(keys[keyCount...])
    growth.firstType = types.types.count
    growth.types = entries.types.types.dropFirst(types.types.count).map(\.declaration)
    let head = CommitHead(
      sequence: sequence + 1, synced: synced, growth: growth, count: entries.marks.count)
    var payload = head.bytes
    let first = payload.count
    payload += entries.bytes
    guard payload.count <= FrameHeader.maximumLength else {
      throw .fileTooLarge(path: path, size: payload.count, limit: FrameHeader.maximumLength)
    }
    let offset = end + FrameHeader.size + first
    for mark in entries.marks where mark.kind == .put {
      LogEntry.prove(
        first + mark.entry.lowerBound..<first + mark.entry.upperBound, in: &payload,
        at: offset + mark.entry.lowerBound, of: segment)
    }
    bytes += FrameHeader(kind: LogFrame.commit, of: payload).bytes(at: end)
    bytes += payload
    commits.append(Commit(parts: entries.parts, offset: offset, marks: entries.marks))
    sequence += 1
    types = entries.types
    keyCount = keys.count
  }

  /// Publishes the changes of the commits so far, so that the next one is checked against them.
  mutating func publish() {
    while publishedCount < commits.count {
      for part in commits[publishedCount].parts { part.publish(to: &self) }
      publishedCount += 1
    }
  }

  /// The changes of the group to records of a type: `nil` for deleted records.
  func records<R: GraphRecord>(_ type: R.Type) -> [R.ID: R?] {
    records[ObjectIdentifier(type)] as? [R.ID: R?] ?? [:]
  }

  /// Updates the changes of the group to records of a type.
  mutating func change<R: GraphRecord>(_ type: R.Type, _ body: (inout [R.ID: R?]) -> Void) {
    var records = records(type)
    // Keep only one reference, or the first change would copy the dictionary.
    self.records[ObjectIdentifier(type)] = nil
    body(&records)
    self.records[ObjectIdentifier(type)] = records
  }

  /// The fields of these records that the current type lacks.
  func strangeFields<R: GraphRecord>(_ type: R.Type) -> [R.ID: RecordFields] {
    strange[ObjectIdentifier(type)] as? [R.ID: RecordFields] ?? [:]
  }

  /// Records the fields of records that the current type lacks; removes those of records without
  /// such fields.
  mutating func noteStrangeFields<R: GraphRecord>(
    _ fields: [R.ID: RecordFields], of type: R.Type, _ records: [R]
  ) {
    var known = strangeFields(type)
    if known.isEmpty, fields.isEmpty { return }
    for record in records { known[record.id] = fields[record.id] }
    strange[ObjectIdentifier(type)] = known
  }
}
