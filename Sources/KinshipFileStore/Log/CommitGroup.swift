internal import Kinship

/// Commits that are written together.
struct CommitGroup {
  struct Commit {
    let parts: [any CommitPart]
    /// The offset of its entries in the segment.
    let offset: Int
    let marks: [EntryBuffer.Mark]
  }

  let segment: UInt32
  /// The offset of the group in the segment.
  let start: Int
  private(set) var bytes: [UInt8] = []
  private(set) var commits: [Commit] = []
  private var publishedCount = 0
  private(set) var sequence: UInt64
  /// The keys and types that entries of the group may refer to.
  private(set) var vocabulary: Vocabulary
  private let path: String
  /// The end of the synced part of the segment.
  private let synced: Int
  /// By type: the changes of the group to records.
  private var changes: [ObjectIdentifier: any Sendable] = [:]

  /// An empty group for the end of a segment.
  init(_ active: ActiveSegment) {
    segment = active.number
    start = active.end
    sequence = active.sequence
    vocabulary = active.segment.vocabulary
    path = active.segment.path
    synced = active.synced
  }

  var end: Int { start + bytes.count }

  /// Appends a commit, unless it is empty.
  mutating func append(
    _ entries: EntryBuffer, _ encoder: any RecordEncoder
  ) throws(KinshipError) {
    guard !entries.marks.isEmpty else { return }
    var new = entries.vocabulary
    new.keys = encoder.keys
    let (payload, first) = entries.payload(
      sequence: sequence + 1, synced: synced, new.growth(from: vocabulary), at: end, of: segment)
    guard payload.count <= FrameHeader.maximumLength else {
      throw .file(.tooLarge(path: path, size: payload.count, limit: FrameHeader.maximumLength))
    }
    let offset = end + FrameHeader.size + first
    bytes += FrameHeader.frame(LogFrame.commit, payload, at: end)
    commits.append(Commit(parts: entries.parts, offset: offset, marks: entries.marks))
    sequence += 1
    vocabulary = new
  }

  /// Publishes the changes of the commits so far, so that the next one is checked against them.
  mutating func publish() {
    while publishedCount < commits.count {
      for part in commits[publishedCount].parts { part.publish(to: &self) }
      publishedCount += 1
    }
  }

  func changes<R: GraphRecord>(to type: R.Type) -> Changes<R> {
    changes[ObjectIdentifier(type)] as? Changes<R> ?? Changes()
  }

  mutating func add<R: GraphRecord>(_ part: CommittedRecords<R>) {
    var known = changes(to: R.self)
    // Keep only one reference, or the first change would copy the dictionaries.
    changes[ObjectIdentifier(R.self)] = nil
    for id in part.deleted { known.records[id] = .some(nil) }
    for record in part.put { known.records[record.id] = record }
    if !known.unknownFields.isEmpty || !part.unknownFields.isEmpty {
      for record in part.put { known.unknownFields[record.id] = part.unknownFields[record.id] }
    }
    changes[ObjectIdentifier(R.self)] = known
  }

  struct Changes<R: GraphRecord>: Sendable {
    /// By id: the new value of a record; `nil` for a deleted one.
    var records: [R.ID: R?] = [:]
    /// By id: the fields of a record that the current type lacks.
    var unknownFields: [R.ID: RecordFields] = [:]
  }
}

/// The entries of a commit while it is built.
struct EntryBuffer {
  struct Mark {
    let kind: LogEntry.Kind
    let type: Int
    let id: [UInt8]
    let entry: Range<Int>
  }

  private(set) var bytes: [UInt8] = []
  private(set) var marks: [Mark] = []
  /// The keys and types that entries may refer to by number.
  var vocabulary: Vocabulary
  var parts: [any CommitPart] = []

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  @discardableResult
  mutating func append(
    _ kind: LogEntry.Kind, type: Int, id: [UInt8], record: [UInt8] = []
  ) -> Range<Int> {
    let start = bytes.count
    LogEntry.append(kind, type: type, id: id, record: record, to: &bytes)
    let entry = start..<bytes.count
    marks.append(Mark(kind: kind, type: type, id: id, entry: entry))
    return entry
  }

  /// The payload of the commit's frame, and the offset in it of the entries.
  ///
  /// `growth` are the keys and types that the segment lacks; `offset` is that of the frame in the
  /// file.
  func payload(
    sequence: UInt64, synced: Int, _ growth: VocabularyGrowth, at offset: Int, of segment: UInt32
  ) -> (bytes: [UInt8], first: Int) {
    var payload = CommitHead(
      sequence: sequence, synced: synced, growth: growth, count: marks.count
    ).bytes
    let first = payload.count
    payload += bytes
    for mark in marks where mark.kind == .put {
      let entry = first + mark.entry.lowerBound..<first + mark.entry.upperBound
      LogEntry.prove(
        entry, in: &payload, at: offset + FrameHeader.size + entry.lowerBound, of: segment)
    }
    return (payload, first)
  }
}

/// The changes of a commit to the records of one type.
protocol CommitPart: Sendable {
  /// Applies the changes to the catalog, once they are in the log; `offset` is that of the commit's
  /// entries in the segment.
  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog)

  /// Applies the changes to the group, for the later commits of the same group.
  func publish(to group: inout CommitGroup)
}

/// Records of one type that a commit puts and deletes.
struct CommittedRecords<R: GraphRecord>: CommitPart {
  let typeNumber: Int
  let deleted: [R.ID]
  let put: [R]
  /// By id: the fields of a put record that its type lacks.
  let unknownFields: [R.ID: RecordFields]
  var entries: [Range<Int>] = []

  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog) {
    guard let locations = catalog.locations[typeNumber] as? RecordLocations<R> else { return }
    for id in deleted { locations.remove(id, &catalog.space) }
    for (index, entry) in entries.enumerated() {
      locations.put(put[index], at: Position(segment, entry, from: offset), &catalog.space)
    }
  }

  func publish(to group: inout CommitGroup) { group.add(self) }
}

/// Records that compaction rewrites unchanged.
struct RecordMoves: CommitPart {
  /// A record, its old position, and the range of its entry in the commit.
  struct Move: Sendable {
    let typeNumber: TypeNumber
    let id: any Sendable
    let old: Position
    let entry: Range<Int>
  }

  var moves: [Move] = []

  func publish(_ segment: UInt32, from offset: Int, to catalog: inout Catalog) {
    for move in moves {
      catalog.locations[move.typeNumber].move(
        move.id, from: move.old, to: Position(segment, move.entry, from: offset),
        &catalog.space)
    }
    catalog.tally.moved += moves.count
  }

  func publish(to group: inout CommitGroup) {}
}
