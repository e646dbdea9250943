import Kinship
import KinshipProgram

extension FamilyTreeProgram {
  func summarize(_ archive: Archive, _ options: Options) async throws {
    let text = SummaryText(style: style)
    var meter = ProgressMeter("Counting ancestors", on: console)
    defer { meter.end() }
    let summary = try await Summary(of: archive) { meter.update($0) }
    meter.end()
    try console.write(text.draw(summary))
    if options.person != nil {
      let person = try await archive.cache.resolve(person(in: archive, options))
      let figures = try await archive.lineage(of: person.ref).figures(of: person.ref)
      try console.write("\n\(style.bold(person.name.display)) \(style.dim(person.id))\n")
      try console.write("  \(text.draw(figures))\n")
    }
  }

  func show(
    _ person: Ref<Person>, ancestors: Int?, descendants: Int? = nil, in archive: Archive
  ) async throws {
    let tree = TextTree(style: style, width: console.width)
    try await console.write(PersonCard(style: style).draw(archive.household(of: person)))
    if let ancestors {
      try heading("Ancestors")
      try await console.write(tree.draw(archive.pedigree(of: person, generations: ancestors)))
    }
    if let descendants {
      try heading("Descendants")
      try await console.write(
        tree.draw(archive.descendants(of: person, generations: descendants)))
    }
  }

  /// Shows the first person with a pedigree, what that costs from the store and from memory, and a
  /// command to try next.
  func introduce(_ archive: Archive, _ options: Options) async throws {
    let person = try await person(in: archive, options)
    var pedigree: FamilyTree?
    func ask() async throws {
      pedigree = try await archive.pedigree(of: person, generations: Options.defaultAncestors)
    }
    // Both come before the drawing, which would load part of the pedigree first.
    let cold = try await AnswerCost(in: archive.cache, ask)
    let warm = try await AnswerCost(in: archive.cache, ask)
    try await show(person, ancestors: Options.defaultAncestors, in: archive)
    #if DEBUG
      try heading("Cost of the pedigree, debug build")
    #else
      try heading("Cost of the pedigree")
    #endif
    try console.write(CostText(style: style).draw(cold: cold, warm: warm))
    // A path may need quotation marks in a shell, so a file gets the command that needs no path.
    var next = "--help"
    if options.file == nil, case .person(let oldest)? = pedigree?.entries.last?.subject {
      next = "--person \(oldest.ref.id.filter { $0 != "@" }) --descendants 2"
    }
    try console.write("\n\(style.dim("try next:")) swift run family-tree \(next)\n")
  }
}
