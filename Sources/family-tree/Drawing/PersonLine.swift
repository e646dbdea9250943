import Kinship

/// A person in one line: `Victoria Hanover (1819–1901) @I1@`.
struct PersonLine {
  let style: TextStyle

  func callAsFunction(_ person: Node<Person>) -> String {
    let years = LifeSpan(person.events.map(\.record)).years.map { " (\($0))" } ?? ""
    return "\(style.bold(person.record.name.display))\(years) \(style.dim(person.ref.id))"
  }

  func missing(_ ref: Ref<Person>) -> String {
    style.warning("\(ref.id) is not in the file")
  }
}
