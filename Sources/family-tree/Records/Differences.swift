import Kinship

extension Person {
  /// In words, what is different from what the person was: `father @I2@ → none`.
  func differences(from old: Person) -> String {
    var differences = Differences()
    differences.add("name", old.name.display, name.display)
    differences.add("father", old.father?.id, father?.id)
    differences.add("mother", old.mother?.id, mother?.id)
    differences.add("born in", old.familyOfBirth?.id, familyOfBirth?.id)
    differences.add("further family", old.furtherFamilies.map(\.id), furtherFamilies.map(\.id))
    differences.add("family", old.families.map(\.id), families.map(\.id))
    differences.add("events", "\(old.events.count)", "\(events.count)")
    return differences.text
  }
}

extension Family {
  /// In words, what is different from what the family was: `without child @I1@`.
  func differences(from old: Family) -> String {
    var differences = Differences()
    differences.add("husband", old.husband?.id, husband?.id)
    differences.add("wife", old.wife?.id, wife?.id)
    differences.add("child", old.children.map(\.id), children.map(\.id))
    differences.add("events", "\(old.events.count)", "\(events.count)")
    return differences.text
  }
}

/// What is different between two versions of a record.
private struct Differences {
  private var parts: [String] = []

  var text: String { parts.joined(separator: ", ") }

  mutating func add(_ name: String, _ old: String?, _ new: String?) {
    if old != new { parts.append("\(name) \(old ?? "none") → \(new ?? "none")") }
  }

  mutating func add(_ name: String, _ old: [String], _ new: [String]) {
    parts += old.filter { !new.contains($0) }.map { "without \(name) \($0)" }
    parts += new.filter { !old.contains($0) }.map { "with \(name) \($0)" }
  }
}
