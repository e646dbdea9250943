import Kinship

/// What has changed, or would, a line for each record.
struct ChangeText {
  let style: TextStyle

  func draw(_ changes: ChangeSet) -> String {
    let lines =
      lines("added", changes.inserted(Person.self), changes.inserted(Family.self))
      + events("added", changes.inserted(Event.self).count)
      + changes.updated(Person.self).compactMap(line)
      + changes.updated(Family.self).compactMap(line)
      + lines("deleted", changes.deleted(Person.self), changes.deleted(Family.self))
      + events("deleted", changes.deleted(Event.self).count)
    return lines.isEmpty ? "nothing has changed\n" : lines.joined()
  }

  /// What a deletion would change; the records are those that it concerns.
  func draw(_ deletion: Deletion, _ records: DeletionRecords) -> String {
    let gone = deletion.deleted
    var lines = lines(
      "deletes", gone.compactMap(records.person), gone.compactMap(records.family))
    lines += events("deletes", gone.filter { $0.as(Event.self) != nil }.count)
    for loss in deletion.losses {
      lines.append(line("changes", "\(records.label(loss.record)): loses \(loss.relationship)"))
    }
    return lines.joined()
  }

  static func label(_ person: Person) -> String { "\(person.name.display) \(person.id)" }

  static func label(_ family: Family) -> String { "family \(family.id)" }

  // MARK: Lines

  private func lines(_ verb: String, _ persons: [Person], _ families: [Family]) -> [String] {
    (persons.map(Self.label) + families.map(Self.label)).map { line(verb, $0) }
  }

  private func events(_ verb: String, _ count: Int) -> [String] {
    count == 0 ? [] : [line(verb, count.counted("event"))]
  }

  private func line(_ change: RecordChange<Person>) -> String? {
    guard let old = change.old, let new = change.new, old != new else { return nil }
    return line("changed", "\(Self.label(new)): \(new.differences(from: old))")
  }

  private func line(_ change: RecordChange<Family>) -> String? {
    guard let old = change.old, let new = change.new, old != new else { return nil }
    return line("changed", "\(Self.label(new)): \(new.differences(from: old))")
  }

  private func line(_ verb: String, _ text: String) -> String {
    style.dim(verb.padded(to: 9)) + text + "\n"
  }
}
