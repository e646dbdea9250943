/// Writes a snapshot frame by frame, and finally replaces the old file.
///
/// Until ``publish()`` has returned, the old file is unchanged.
package struct SnapshotFile {
  private let file: FileReplacement
  private var declared: Set<Int> = []
  private var footer = SnapshotFooter()

  /// Creates the new file, and writes its beginning.
  package init(
    _ name: String, in directory: any Directory, _ head: SnapshotHead
  ) throws(SystemError) {
    file = try FileReplacement(of: name, in: directory)
    try file.write(FileHeader(.snapshot, version: head.version).bytes)
    try write(.head, head.payload)
  }

  /// The number of written records.
  package var count: Int { footer.records }

  /// The number of written ids that are known to be missing.
  var missing: Int { footer.missing }

  /// The number of written bytes.
  var size: Int { file.count }

  /// Declares a type, unless it was declared before.
  package mutating func declare(_ type: TypeDeclaration) throws(SystemError) {
    guard declared.insert(type.number).inserted else { return }
    var payload: [UInt8] = []
    type.write(to: &payload)
    try write(.type, payload)
  }

  /// Appends records that have keys in common.
  package mutating func append(records payload: [UInt8], count: Int) throws(SystemError) {
    try write(.records, payload)
    footer.records += count
  }

  /// Appends ids of a declared type, which a lease names, or which are known to be missing.
  ///
  /// The name of the latter is empty.
  package mutating func append(
    ids payload: [UInt8], name: String, count: Int
  ) throws(SystemError) {
    try write(name.isEmpty ? .missing : .lease, payload)
    if name.isEmpty { footer.missing += count } else { footer.leases += 1 }
  }

  /// Appends the answer to a query.
  package mutating func append(answer payload: [UInt8]) throws(SystemError) {
    try write(.answer, payload)
  }

  /// Ends the file, and replaces the old one by it.
  ///
  /// - Throws: `SystemError`; `FileReplacementError`, which says whether the new file is in place
  ///   all the same.
  package mutating func publish() throws {
    try write(.footer, footer.payload)
    try file.publish()
  }

  private func write(_ kind: SnapshotFrame, _ payload: [UInt8]) throws(SystemError) {
    try file.append(kind: kind.rawValue, payload)
  }
}

/// The kinds of frames in a snapshot.
package enum SnapshotFrame: UInt8 {
  case head = 1
  case type = 2
  case records = 3
  case missing = 4
  case lease = 5
  case footer = 6
  case answer = 7
}

/// The first frame of a snapshot.
package struct SnapshotHead: Equatable, Sendable {
  /// The name of the coder.
  package let coder: String
  /// When the records were captured, in milliseconds since 1970 (UTC).
  package let moment: Int
  /// The number of captured records; some may not have been encodable.
  package let count: Int
  /// The positions in a store's log from which the records must be brought up to date: one, unless
  /// the cache had not caught up yet.
  package let cursors: [StoreCursor]
  /// Whether answers to queries follow.
  package var hasAnswers = false

  package init(coder: String, moment: Int, count: Int, cursors: [StoreCursor] = []) {
    self.coder = coder
    self.moment = moment
    self.count = count
    self.cursors = cursors
  }

  /// The version of the format that the snapshot needs.
  package var version: Int { hasAnswers || cursors.count > 1 ? 3 : cursors.isEmpty ? 1 : 2 }

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.file(.damaged)`.
  package init(from reader: inout ByteReader) throws(KinshipError) {
    coder = try reader.readText()
    moment = try reader.readNumber()
    count = try reader.readNumber()
    var cursors: [StoreCursor] = []
    while !reader.isAtEnd { cursors.append(StoreCursor(try reader.readText())) }
    self.cursors = cursors
  }

  /// The frame's payload.
  package var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(text: coder)
    payload.append(varint: moment)
    payload.append(varint: count)
    for cursor in cursors { payload.append(text: cursor.text) }
    return payload
  }
}

/// The last frame of a snapshot: the amount of data before it.
package struct SnapshotFooter: Equatable, Sendable {
  package var records = 0
  package var missing = 0
  package var leases = 0

  package init() {}

  /// Reads the frame's payload.
  ///
  /// - Throws: `KinshipError.file(.damaged)`.
  package init(from reader: inout ByteReader) throws(KinshipError) {
    records = try reader.readNumber()
    missing = try reader.readNumber()
    leases = try reader.readNumber()
  }

  /// The frame's payload.
  package var payload: [UInt8] {
    var payload: [UInt8] = []
    payload.append(varint: records)
    payload.append(varint: missing)
    payload.append(varint: leases)
    return payload
  }
}
