import Kinship

/// What a box of a chart says.
struct ChartCard {
  let person: Ref<Person>?
  let name: String
  let life: String
  let sexClass: String
  /// All of it, uncut.
  let description: String

  init(_ subject: FamilyTree.Subject) {
    switch subject {
    case .person(let node):
      let birth = node.events.first { $0.record.kind == .birth }
      let place = birth?.place?.record.readableName
      person = node.ref
      name = node.record.name.display
      life = [LifeSpan(node.events.map(\.record)).years, place].compactMap(\.self)
        .joined(separator: ", ")
      sexClass = [.male: "male", .female: "female"][node.record.sex] ?? "other"
      description = [name, life, node.ref.id].filter { !$0.isEmpty }.joined(separator: "\n")
    case .missing(let ref):
      person = nil
      name = ref.id
      life = "not in the file"
      sexClass = "other"
      description = "\(name): \(life)"
    case .family(let family, _):
      person = nil
      name = family.ref.id
      life = ""
      sexClass = "other"
      description = name
    }
  }
}
