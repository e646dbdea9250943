import Kinship
import KinshipProgram

/// What has changed, or would, a line for each record.
struct ChangeText {
  let style: TextStyle

  func draw(_ changes: ChangeSet) -> String {
    let persons = changes.updated(Person.self).sorted { Self.precedes($0.ref.id, $1.ref.id) }
    let families = changes.updated(Family.self).sorted { Self.precedes($0.ref.id, $1.ref.id) }
    let lines =
      lines("added", changes.inserted(Person.self), changes.inserted(Family.self))
      + events("added", changes.inserted(Event.self).count)
      + persons.compactMap(line) + families.compactMap(line)
      + lines("deleted", changes.deleted(Person.self), changes.deleted(Family.self))
      + events("deleted", changes.deleted(Event.self).count)
    return lines.isEmpty ? "nothing has changed\n" : lines.joined()
  }

  /// What a deletion would change; the records are those that it concerns.
  func draw(_ deletion: Deletion, _ records: DeletionRecords) -> String {
    let gone = deletion.deleted
    let lines =
      lines("deletes", gone.compactMap(records.person), gone.compactMap(records.family))
      + events("deletes", gone.filter { $0.as(Event.self) != nil }.count)
      + losses(deletion, of: Person.self, records) + losses(deletion, of: Family.self, records)
    return lines.joined()
  }

  /// An answer that is watched, as it is at the beginning.
  func draw(_ answer: RecordList<Person>, of name: String) -> String {
    answer.enumerated().map { position, person in
      style.dim("\(name) ") + line("", "\(position + 1) \(Self.label(person))")
    }.joined()
  }

  /// What has become of a pedigree that is watched; nothing for nothing.
  func draw(_ change: GraphChange<Person>, of person: String) -> String {
    func persons(_ records: [any GraphRecord]) -> [Person] { records.compactMap { $0 as? Person } }
    let updates = change.diff.updated.compactMap { update -> (old: Person, new: Person)? in
      guard let old = update.old as? Person, let new = update.new as? Person else { return nil }
      return (old, new)
    }
    let lines =
      lines("joined", persons(change.diff.inserted), [])
      + updates.sorted { Self.precedes($0.new.id, $1.new.id) }.map {
        line("changed", "\(Self.label($0.new)): \($0.new.differences(from: $0.old))")
      }
      + lines("left", persons(change.diff.removed), [])
    return lines.map { style.dim("\(person) ") + $0 }.joined()
  }

  /// What has become of an answer that is watched, by the positions in it; nothing for nothing.
  func draw(_ diff: ListDiff<Person>, of answer: String) -> String {
    let lines =
      diff.removed.map { line("left", "\($0.position + 1) \(Self.label($0.record))") }
      + diff.inserted.map { line("joined", "\($0.position + 1) \(Self.label($0.record))") }
      + diff.moved.map { line("moved", "\($0.from + 1) → \($0.to + 1) \(Self.label($0.record))") }
      + diff.updated.map {
        let differences = $0.new.differences(from: $0.old)
        return line("changed", "\($0.position + 1) \(Self.label($0.new)): \(differences)")
      }
    return lines.map { style.dim("\(answer) ") + $0 }.joined()
  }

  /// The order of the numbers in xrefs.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    (left.count, left) < (right.count, right)
  }

  static func label(_ person: Person) -> String { "\(person.name.display) \(person.id)" }

  static func label(_ family: Family) -> String { "family \(family.id)" }

  // MARK: Lines

  private func lines(_ verb: String, _ persons: [Person], _ families: [Family]) -> [String] {
    let persons = persons.sorted { Self.precedes($0.id, $1.id) }
    let families = families.sorted { Self.precedes($0.id, $1.id) }
    return (persons.map(Self.label) + families.map(Self.label)).map { line(verb, $0) }
  }

  private func events(_ verb: String, _ count: Int) -> [String] {
    count == 0 ? [] : [line(verb, count.counted("event"))]
  }

  private func losses<R: GraphRecord>(
    _ deletion: Deletion, of type: R.Type, _ records: DeletionRecords
  ) -> [String] where R.ID == String {
    deletion.losses.compactMap { loss in loss.record.as(type).map { ($0.id, loss) } }
      .sorted { Self.precedes($0.0, $1.0) }
      .map { _, loss in
        line("changes", "\(records.label(loss.record)): loses \(loss.relationship)")
      }
  }

  private func line(_ change: UpdatedRecord<Person>) -> String? {
    guard let old = change.old, let new = change.new, old != new else { return nil }
    return line("changed", "\(Self.label(new)): \(new.differences(from: old))")
  }

  private func line(_ change: UpdatedRecord<Family>) -> String? {
    guard let old = change.old, let new = change.new, old != new else { return nil }
    return line("changed", "\(Self.label(new)): \(new.differences(from: old))")
  }

  private func line(_ verb: String, _ text: String) -> String {
    style.dim(verb.padded(to: 9)) + text + "\n"
  }
}
