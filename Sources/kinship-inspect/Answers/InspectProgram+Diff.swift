import Kinship
import KinshipInspection
import KinshipProgram

extension InspectProgram {
  func diff(_ options: Options) throws -> ExitStatus {
    let old = try read(options.operands[0], options, all: false)
    let new = try read(options.operands[1], options, all: false)
    var left: [FileDamage] = old.damage + new.damage
    let (before, after) = (old.places, new.places)
    var (added, removed, changed, shown) = (0, 0, 0, 0)
    var properties: [String: Int] = [:]

    func write(_ difference: RecordDifference) throws {
      shown += 1
      if shown > options.limit ?? .max { return }
      try console.write((options.json ? difference.json : difference.text) + "\n")
    }
    for record in old.records {
      if record.id == nil { continue }
      guard let place = after[record.identity] else {
        removed += 1
        try write(RecordDifference(kind: .removed, record: record))
        continue
      }
      guard let one = try record.readable({ left.append($0) }),
        let other = try new.records[place].readable({ left.append($0) })
      else { continue }
      let differences = FieldDifference.all(from: one, to: other)
      if differences.isEmpty { continue }
      changed += 1
      for difference in differences {
        properties["\(record.type.name.readable).\(difference.name.readable)", default: 0] += 1
      }
      try write(RecordDifference(kind: .changed, record: record, fields: differences))
    }
    for record in new.records where record.id != nil && before[record.identity] == nil {
      added += 1
      try write(RecordDifference(kind: .added, record: record))
    }
    let counts = properties.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if options.json {
      let members = counts.map { ($0.key, "\($0.value)") }
      try console.write(
        JSONText.object([
          ("added", "\(added)"), ("removed", "\(removed)"), ("changed", "\(changed)"),
          ("properties", JSONText.object(members)),
        ]) + "\n")
    } else {
      try console.write(
        "\(added.grouped) added, \(removed.grouped) removed, \(changed.grouped) changed\n"
          + counts.map { "  \($0.key) \($0.value.grouped)\n" }.joined())
    }
    let nameless = (old.records + new.records).count { $0.id == nil }
    if nameless > 0 {
      console.complain(
        "kinship-inspect: warning: \(nameless.counted("record")) without an id cannot be compared")
    }
    if complain(of: left) != .success { return .notFound }
    return added + removed + changed == 0 ? .success : .notFound
  }
}

private struct RecordDifference {
  enum Kind: String {
    case added = "+"
    case removed = "-"
    case changed = "~"
  }

  let kind: Kind
  let record: InspectedRecord
  var fields: [FieldDifference] = []

  var text: String {
    (["\(kind.rawValue) \(record.name)"] + fields.map { "    \($0)" }).joined(separator: "\n")
  }

  var json: String {
    let members = [
      ("difference", "\(kind)".json), ("type", record.type.name.json),
      ("id", record.id?.json ?? "null"),
    ]
    return JSONText.object(
      kind == .changed
        ? members + [("fields", JSONText.object(fields.map { ($0.name, $0.json) }))] : members)
  }
}

/// A property by which two versions of a record differ.
struct FieldDifference: CustomStringConvertible {
  let name: String
  let old: FieldValue?
  let new: FieldValue?

  var description: String {
    "\(name.readable): \(old?.shown ?? "nothing") → \(new?.shown ?? "nothing")"
  }

  /// The old value and the new one, if they exist.
  var json: String {
    JSONText.object(
      [("old", old), ("new", new)].compactMap { name, value in value.map { (name, $0.json) } })
  }

  static func all(from old: FieldValue, to new: FieldValue) -> [FieldDifference] {
    guard let before = old.fields, let after = new.fields else {
      return old == new ? [] : [FieldDifference(name: "value", old: old, new: new)]
    }
    return Set(before.names + after.names).sorted().compactMap { name in
      before[name] == after[name]
        ? nil : FieldDifference(name: name, old: before[name], new: after[name])
    }
  }
}
