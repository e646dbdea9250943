import Kinship
import KinshipProgram

extension InspectProgram {
  func diff(_ options: Options) throws -> ExitStatus {
    let old = try read(options.operands[0], options, all: false)
    let new = try read(options.operands[1], options, all: false)
    var left: [FileDamage] = old.damage + new.damage
    let (before, after) = (RecordsByID(old), RecordsByID(new))
    var (added, removed, changed, shown) = (0, 0, 0, 0)
    var properties: [String: Int] = [:]

    func write(_ lines: [String]) throws {
      shown += 1
      if shown <= options.limit ?? .max {
        try console.write(lines.map { $0 + "\n" }.joined())
      }
    }
    for record in old.records {
      guard let id = record.id else { continue }
      guard let place = after[record.type.name, id] else {
        removed += 1
        try write(["- \(record.name)"])
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
      try write(["~ \(record.name)"] + differences.map { "    \($0)" })
    }
    for record in new.records {
      guard let id = record.id, before[record.type.name, id] == nil else { continue }
      added += 1
      try write(["+ \(record.name)"])
    }
    try console.write(
      "\(added.grouped) added, \(removed.grouped) removed, \(changed.grouped) changed\n")
    for (name, count) in properties.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      try console.write("  \(name) \(count.grouped)\n")
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

/// A property by which two versions of a record differ.
struct FieldDifference: CustomStringConvertible {
  let name: String
  let old: FieldValue?
  let new: FieldValue?

  var description: String {
    "\(name.readable): \(old?.shown ?? "nothing") → \(new?.shown ?? "nothing")"
  }

  /// All of them, in the order of their names.
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
