import Kinship
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  func show(_ options: Options) throws -> ExitStatus {
    let inspection = try read(options.operands[0], options, all: false)
    let status = complain(of: inspection.damage)
    if options.records != nil { return try list(inspection, options, status) }
    let overview = Overview(inspection)
    try console.write(options.json ? overview.json + "\n" : overview.text(console))
    return status
  }

  private func list(
    _ inspection: Inspection, _ options: Options, _ status: ExitStatus
  ) throws -> ExitStatus {
    let selection = RecordSelection(inspection, options)
    try selection.require()
    let left: [FileDamage]
    switch options.format ?? .table {
    case .jsonl, .csv:
      left = try selection.write(asTable: options.format == .csv, console.write).damage
    default:
      let table = try RecordTable(of: selection)
      try console.write(table.text(console))
      left = table.damage
    }
    return complain(of: left) == .success ? status : .notFound
  }
}

struct RecordSelection {
  let inspection: Inspection
  let type: String?
  let condition: Condition?
  let limit: Int

  init(_ inspection: Inspection, _ options: Options) {
    self.inspection = inspection
    type = options.records
    condition = options.condition
    limit = options.limit ?? .max
  }

  /// - Throws: `Failure` if there is no such type, or a property of the condition is unknown.
  func require() throws(Failure) {
    if let type { try inspection.require(type, .notFound) }
    for path in condition?.paths ?? [] { try inspection.require(path, of: type) }
  }

  /// Calls a closure with the requested records, one after another.
  ///
  /// The count includes those beyond the limit. The damage is that of records that cannot be read.
  @discardableResult
  func forEach(
    _ body: (InspectedRecord, FieldValue) throws -> Void
  ) throws -> (count: Int, damage: [FileDamage]) {
    var (count, damage) = (0, [FileDamage]())
    for record in inspection.records where type == nil || record.type.name == type {
      guard let value = try record.readable({ damage.append($0) }),
        condition?.holds(for: value) ?? true
      else { continue }
      if count < limit { try body(record, value) }
      count += 1
    }
    return (count, damage)
  }

  /// Writes the records as lines of JSON, or as a table of comma-separated values, and counts them.
  func write(
    asTable isTable: Bool, _ output: (String) throws -> Void
  ) throws -> (count: Int, damage: [FileDamage]) {
    let found: (count: Int, damage: [FileDamage])
    if isTable {
      let table = try CSVTable(of: self)
      try output(table.head)
      found = try forEach { try output(table.line($1)) }
    } else {
      found = try forEach { try output($0.json($1) + "\n") }
    }
    return (min(found.count, limit), found.damage)
  }
}

extension InspectedRecord {
  /// The record's fields; if it is damaged, the result is `nil`, and `failed` gets the damage.
  func readable(_ failed: (FileDamage) -> Void) throws(Failure) -> FieldValue? {
    do { return try value() } catch {
      guard case .file(.damaged(let fault)) = error else { throw Failure(error, of: file) }
      failed(fault.type == nil ? damage(fault.cause) : fault)
      return nil
    }
  }
}

extension InspectedRecord {
  /// The record as one line of JSON, with these fields.
  func json(_ value: FieldValue) -> String {
    var members = [
      ("type", type.name.json), ("version", "\(type.version)"), ("id", id?.json ?? "null"),
    ]
    if let age { members.append(("age", age.tenths)) }
    members.append(("fields", value.json))
    let kinds = (id?.plainKinds(below: "id") ?? []) + value.plainKinds(below: "fields")
    if !kinds.isEmpty {
      members.append(("kinds", JSONText.object(kinds.map { ($0.text, $0.kind.rawValue.json) })))
    }
    return JSONText.object(members)
  }
}

extension Int {
  /// Tenths as a number with a fraction: `1.5`.
  var tenths: String { "\(self / 10).\(self % 10)" }
}

/// Records of one type as comma-separated values (RFC 4180).
struct CSVTable {
  private let columns: [String]

  /// Determines the fields of the records, for which it reads them all.
  init(of selection: RecordSelection) throws {
    var names: Set<String> = []
    try selection.forEach { names.formUnion($1.fields?.names ?? ["value"]) }
    columns = names.inColumns
  }

  var head: String { Self.line(columns.map(\.csv)) }

  func line(_ value: FieldValue) -> String {
    guard let fields = value.fields else { return Self.line([value.csv]) }
    return Self.line(columns.map { (fields[$0] ?? .null).csv })
  }

  private static func line(_ fields: [String]) -> String {
    fields.joined(separator: ",") + "\r\n"
  }
}

extension Set<String> {
  /// Names of fields, the id first.
  var inColumns: [String] { sorted { ($0 == "id" ? 0 : 1, $0) < ($1 == "id" ? 0 : 1, $1) } }
}
