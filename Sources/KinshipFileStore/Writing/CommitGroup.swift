internal import Kinship

/// Commits that are written together.
struct CommitGroup {
  /// A commit whose bytes are known.
  struct Commit {
    let parts: [any CommitPart]
    /// Where in the segment its entries begin.
    let offset: Int
    let marks: [EntryBuffer.Mark]
  }

  /// The number of the segment.
  let segment: UInt32
  /// Where in the segment the group begins.
  let start: Int
  private(set) var bytes: [UInt8] = []
  private(set) var commits: [Commit] = []
  /// How many of the commits were published.
  private var publishedCount = 0
  /// The sequence number of the last commit.
  private(set) var sequence: UInt64
  /// What entries of the group may refer to.
  private(set) var types: TypeNumbers
  /// How many keys of the encoder are in the segment.
  private(set) var keyCount: Int
  /// By type: what the commits of the group have made of records.
  private var records: [ObjectIdentifier: any Sendable] = [:]
  /// By type: the fields of these that their type of today does not have.
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
  ///   - synced: Up to where the segment is known to be on the disk.
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

  /// Takes in what the commits so far have made of records, for the next one to be checked.
  mutating func publish() {
    while publishedCount < commits.count {
      for part in commits[publishedCount].parts { part.publish(to: &self) }
      publishedCount += 1
    }
  }

  /// What the commits of the group have made of records of a type: `nil` for those they have
  /// deleted.
  func records<R: GraphRecord>(_ type: R.Type) -> [R.ID: R?] {
    records[ObjectIdentifier(type)] as? [R.ID: R?] ?? [:]
  }

  /// Changes what the commits of the group have made of records of a type.
  mutating func change<R: GraphRecord>(_ type: R.Type, _ body: (inout [R.ID: R?]) -> Void) {
    var records = records(type)
    // Only one reference may be left, or the first change would copy them.
    self.records[ObjectIdentifier(type)] = nil
    body(&records)
    self.records[ObjectIdentifier(type)] = records
  }

  /// The fields, of such records, that their type of today does not have.
  func strangeFields<R: GraphRecord>(_ type: R.Type) -> [R.ID: RecordFields] {
    strange[ObjectIdentifier(type)] as? [R.ID: RecordFields] ?? [:]
  }

  /// Takes in which fields records of a type have beside those of today: none where there were
  /// none.
  mutating func noteStrangeFields<R: GraphRecord>(
    _ fields: [R.ID: RecordFields], of type: R.Type, _ records: [R]
  ) {
    var known = strangeFields(type)
    if known.isEmpty, fields.isEmpty { return }
    for record in records { known[record.id] = fields[record.id] }
    strange[ObjectIdentifier(type)] = known
  }
}
