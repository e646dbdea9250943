internal import Kinship
internal import KinshipInspection

/// Writes a new snapshot without the types of its records.
struct NewSnapshot {
  private let file: FileReplacement
  private var footer = SnapshotFooter()

  /// The number of written records.
  var count: Int { footer.records }

  init(_ name: String, in directory: any Directory, _ head: SnapshotHead) throws(SystemError) {
    file = try FileReplacement(of: name, in: directory)
    try file.append(FileHeader(.snapshot, version: head.version).bytes)
    try append(.head, head.payload)
  }

  mutating func declare(_ type: TypeDeclaration) throws(SystemError) {
    var payload: [UInt8] = []
    type.write(to: &payload)
    try append(.type, payload)
  }

  /// Appends records that have keys in common.
  mutating func append(_ block: RecordBlock.Body, keys: [String]) throws(SystemError) {
    if block.count == 0 { return }
    try append(.records, block.payload(keys: keys))
    footer.records += block.count
  }

  /// Appends ids that are known missing.
  mutating func append(missing ids: Int, _ payload: [UInt8]) throws(SystemError) {
    try append(.missing, payload)
    footer.missing += ids
  }

  mutating func append(lease payload: [UInt8]) throws(SystemError) {
    try append(.lease, payload)
    footer.leases += 1
  }

  mutating func publish() throws {
    try append(.footer, footer.payload)
    try file.publish()
  }

  private func append(_ kind: SnapshotFrame, _ payload: [UInt8]) throws(SystemError) {
    try file.append(kind: kind.rawValue, payload)
  }
}
