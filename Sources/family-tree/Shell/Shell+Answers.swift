import Kinship
import KinshipProgram

/// Commands that change nothing.
extension Shell {
  func show(_ text: String, generations: Int?) async throws {
    let person = try await person(text)
    let household = try await archive.household(of: person)
    var answer = PersonCard(style: style).draw(household)
    for family in household.root.families {
      answer += "  \(style.dim("family".padded(to: 14)))\(family.ref.id)\n"
    }
    if let generations {
      let tree = TextTree(style: style, width: console.width)
      let pedigree = try await archive.pedigree(of: person, generations: generations)
      answer += "\n\(style.bold("Ancestors"))\n" + tree.draw(pedigree)
    }
    try console.write(answer)
  }

  func find(_ name: String) async throws {
    var options = Options()
    guard let condition = PersonCondition("name=\(name)") else { throw ShellMistake.notFound(name) }
    options.conditions = [condition]
    try await FamilyTreeProgram(console: console).list(options, in: archive)
  }

  func preview(_ text: String) async throws {
    let deletion = try await Deletion.preview(of: subject(text), in: archive.cache)
    let records = try await DeletionRecords(deletion, in: archive.cache)
    if let denial = deletion.denial(records) { throw denial }
    try console.write(ChangeText(style: style).draw(deletion, records))
  }

  // MARK: Who is meant

  func person(_ text: String) async throws -> Ref<Person> {
    let candidates = try await archive.candidates(for: text)
    guard let first = candidates.first else { throw ShellMistake.notFound(text) }
    guard candidates.count == 1 else { throw ShellMistake.ambiguous(text, candidates) }
    return first.ref
  }

  /// The family or the person that a text means.
  func subject(_ text: String) async throws -> Deletion.Subject {
    if let family = try await archive.family(text) { return .family(family.ref) }
    return .person(try await person(text))
  }
}
