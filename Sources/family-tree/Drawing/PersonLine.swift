import Kinship
import KinshipProgram

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
