import Kinship
import KinshipProgram

/// The data of one person and the next of kin, a line each.
///
/// It is a view: the cache loads the records that it reads.
struct PersonCard {
  let style: TextStyle

  private static let labelWidth = 14

  func draw(_ person: Node<Person>) -> String {
    let line = PersonLine(style: style)
    var text = line(person) + "\n"
    func add(_ label: String, _ value: String) {
      let label = style.dim(label.padded(to: Self.labelWidth))
      text += "  \(label)\(value)\n"
    }
    func add(_ lookup: Lookup<Person>?, as label: String) {
      switch lookup {
      case .loaded(let node)?: add(label, line(node))
      case .missing(let ref)?, .unloaded(let ref)?: add(label, line.missing(ref))
      case nil: break
      }
    }
    func add(_ events: Nodes<Event>) {
      for event in events where !event.record.isDenied {
        add(event.record.kind.label, Self.summary(event))
      }
    }

    add(person.events)
    add(person.lookup(\.father), as: "father")
    add(person.lookup(\.mother), as: "mother")
    for family in person.furtherFamilies {
      add(family.lookup(\.husband), as: "also child of")
      add(family.lookup(\.wife), as: "also child of")
    }
    for family in person.families {
      add("family", family.ref.id)
      let partners = [family.lookup(\.husband), family.lookup(\.wife)]
      for partner in partners where partner?.node?.ref != person.ref {
        add(partner, as: "partner")
      }
      add(family.events)
      for child in family.lookup(\.children) { add(child, as: "child") }
    }
    return text
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
