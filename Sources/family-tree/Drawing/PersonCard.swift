import Kinship
import KinshipProgram

/// The data of one person and the next of kin, or of one family, a line each.
///
/// It is a view: the cache loads the records that it reads.
struct PersonCard {
  let style: TextStyle

  func draw(_ person: Node<Person>) -> String {
    var text = PersonLine(style: style)(person) + "\n" + rows(person.events)
    text += row("father", person.lookup(\.father)) + row("mother", person.lookup(\.mother))
    for family in person.furtherFamilies {
      for parent in [family.lookup(\.husband), family.lookup(\.wife)] {
        text += row("also child of", parent)
      }
    }
    for family in person.families {
      text += row("family", family.ref.id) + rows(of: family, without: person.ref)
    }
    return text
  }

  func draw(_ family: Node<Family>) -> String {
    "\(style.bold("Family")) \(style.dim(family.ref.id))\n" + rows(of: family)
  }

  private func rows(of family: Node<Family>, without person: Ref<Person>? = nil) -> String {
    let partners = [family.lookup(\.husband), family.lookup(\.wife)].compactMap(\.self)
    return partners.filter { $0.node?.ref != person || person == nil }
      .map { row("partner", $0) }.joined() + rows(family.events)
      + family.lookup(\.children).map { row("child", $0) }.joined()
  }

  private func rows(_ events: Nodes<Event>) -> String {
    events.filter { !$0.record.isDenied }
      .map { row($0.record.kind.label, Self.summary($0)) }.joined()
  }

  private func row(_ label: String, _ lookup: Lookup<Person>?) -> String {
    let line = PersonLine(style: style)
    return switch lookup {
    case .loaded(let node)?: row(label, line(node))
    case .missing(let ref)?, .unloaded(let ref)?: row(label, line.missing(ref))
    case nil: ""
    }
  }

  private func row(_ label: String, _ value: String) -> String {
    "  \(style.dim(label.padded(to: 14)))\(value)\n"
  }

  private static func summary(_ event: Node<Event>) -> String {
    let parts = [event.detail, event.date?.display, event.place?.record.readableName]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

/// A person in one line: `Victoria Hanover (1819–1901) @I1@`.
struct PersonLine {
  let style: TextStyle

  func callAsFunction(_ person: Node<Person>) -> String {
    self(person.record, person.events.map(\.record))
  }

  func callAsFunction(_ person: Person, _ events: [Event]) -> String {
    let years = LifeSpan(events).years.map { " (\($0))" } ?? ""
    return "\(style.bold(person.name.display))\(years) \(style.dim(person.id))"
  }

  func missing(_ ref: Ref<Person>) -> String {
    style.warning("\(ref.id) is not in the file")
  }
}
