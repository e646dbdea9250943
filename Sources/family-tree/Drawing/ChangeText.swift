import Kinship
import KinshipProgram

/// Describes changes in words, a line for each record.
struct ChangeText {
  let style: TextStyle

  func draw(_ changes: ChangeSet) -> String {
    let text =
      lines("added", changes.inserted(Person.self)) + lines("added", changes.inserted(Family.self))
      + events("added", changes.inserted(Event.self).count)
      + updates(changes.updated(Person.self).map { ($0.old, $0.new) })
      + updates(changes.updated(Family.self).map { ($0.old, $0.new) })
      + lines("deleted", changes.deleted(Person.self))
      + lines("deleted", changes.deleted(Family.self))
      + events("deleted", changes.deleted(Event.self).count)
    return text.isEmpty ? "nothing has changed\n" : text.joined()
  }

  /// The lines that describe how a pedigree has changed; empty if it has not.
  func draw(_ change: ObservedChange<Graph<Person>?, GraphDiff>, of name: String) -> String {
    let diff = change.diff
    let text =
      lines("joined", diff.inserted.compactMap { $0 as? Person })
      + updates(diff.updated.map { ($0.old as? Person, $0.new as? Person) })
      + lines("left", diff.removed.compactMap { $0 as? Person })
    return text.map { style.dim("\(name) ") + $0 }.joined()
  }

  // MARK: Lines

  private func lines<R: DescribedRecord>(_ verb: String, _ records: [R]) -> [String] {
    records.sorted(by: Self.precedes).map { line(verb, $0.label) }
  }

  private func updates<R: DescribedRecord>(_ updates: [(old: R?, new: R?)]) -> [String] {
    updates.compactMap { old, new in new.flatMap { new in old.map { ($0, new) } } }
      .filter { old, new in old != new }
      .sorted { Self.precedes($0.1, $1.1) }
      .map { old, new in line("changed", "\(new.label): \(new.differences(from: old))") }
  }

  private func events(_ verb: String, _ count: Int) -> [String] {
    count == 0 ? [] : [line(verb, count.counted("event"))]
  }

  private func line(_ verb: String, _ text: String) -> String {
    style.dim(verb.padded(to: 9)) + text + "\n"
  }

  /// The order of the numbers in xrefs.
  private static func precedes<R: DescribedRecord>(_ left: R, _ right: R) -> Bool {
    (left.id.count, left.id) < (right.id.count, right.id)
  }
}

/// A record whose changes can be described in words.
private protocol DescribedRecord: GraphRecord, Equatable where ID == String {
  var label: String { get }
  /// The differences from the former record: `father @I2@ → none, with child @I7@`.
  func differences(from old: Self) -> String
}

extension Person: DescribedRecord {
  var label: String { "\(name.display) \(id)" }

  fileprivate func differences(from old: Person) -> String {
    [
      change("name", old.name.display, name.display), change("father", old.father?.id, father?.id),
      change("mother", old.mother?.id, mother?.id),
      change("family", old.families, families),
    ].joined().joined(separator: ", ")
  }
}

extension Family: DescribedRecord {
  fileprivate var label: String { "family \(id)" }

  fileprivate func differences(from old: Family) -> String {
    [
      change("husband", old.husband?.id, husband?.id), change("wife", old.wife?.id, wife?.id),
      change("child", old.children, children),
    ].joined().joined(separator: ", ")
  }
}

private func change(_ name: String, _ old: String?, _ new: String?) -> [String] {
  old == new ? [] : ["\(name) \(old ?? "none") → \(new ?? "none")"]
}

private func change<R: GraphRecord>(_ name: String, _ old: [Ref<R>], _ new: [Ref<R>]) -> [String] {
  old.filter { !new.contains($0) }.map { "without \(name) \($0.id)" }
    + new.filter { !old.contains($0) }.map { "with \(name) \($0.id)" }
}
