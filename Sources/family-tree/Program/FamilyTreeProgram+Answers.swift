import Kinship
import KinshipProgram

extension FamilyTreeProgram {
  func heading(_ text: String) throws { try console.write("\n\(style.bold(text))\n") }

  // MARK: A person

  func show(_ person: Ref<Person>, ancestors: Int?, in archive: Archive) async throws {
    let card = PersonCard(style: style)
    guard let text = try await archive.cache.find(person.view { card.draw($0) }) else {
      throw KinshipError.missing(AnyRef(person))
    }
    try console.write(text)
    guard let ancestors else { return }
    try heading("Ancestors")
    let tree = try await archive.pedigree(of: person, generations: ancestors)
    try console.write(TextTree(style: style, width: console.width).draw(tree))
  }

  func show(_ family: Family, in archive: Archive) async throws {
    let card = PersonCard(style: style)
    guard let text = try await archive.cache.find(family.ref.view { card.draw($0) }) else {
      throw KinshipError.missing(AnyRef(family.ref))
    }
    try console.write(text)
  }

  /// Shows the first person with a pedigree, what that costs from the store and from memory, and a
  /// command to try next.
  func introduce(_ archive: Archive, _ options: Options) async throws {
    let person = try await person(in: archive, options)
    func ask() async throws {
      _ = try await archive.pedigree(of: person, generations: Options.defaultAncestors)
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
    let next = options.file == nil ? "--where born=..1700 --sort surname" : "--help"
    try console.write("\n\(style.dim("try next:")) swift run family-tree \(next)\n")
  }

  // MARK: Figures

  func summarize(_ archive: Archive) async throws {
    console.show(progress: "Counting ancestors")
    let summary: Summary
    do {
      defer { console.show(progress: nil) }
      summary = try await Summary(of: archive)
    }
    try console.write(SummaryText(style: style).draw(summary))
  }

  // MARK: Lists

  func list(
    _ question: PersonQuestion, _ options: Options = Options(), in archive: Archive
  ) async throws {
    let query = question.query
    let count = try await archive.cache.find(query.count)
    if count == 0 {
      throw Failure(
        status: .notFound,
        message: "no person fulfils all conditions. Leave one out, or try other words")
    }
    guard options.isPaged else {
      try await archive.forEachPage(of: query) { try await write($0, in: archive) }
      return try console.write("\(count.counted("individual"))\n")
    }
    let page: Page<Person>
    do {
      let size = options.pageSize ?? Options.defaultPageSize
      page = try await archive.cache.page(query, size: size, after: options.cursor)
    } catch KinshipError.misuse(.foreignCursor) {
      throw CommandLineMistake(
        "--after belongs to another question. Repeat the --where and --sort of the page before")
    }
    if page.records.isEmpty {
      throw Failure(
        status: .notFound, message: "no person comes after that page, which is the last one")
    }
    try await write(page.records, in: archive)
    try console.write("\(page.records.count.grouped) of \(count.counted("individual"))\n")
    if page.hasMore, let end = page.end {
      try console.write("\(style.dim("next page:")) --after \(end.text)\n")
    }
  }

  private func write(_ persons: [Person], in archive: Archive) async throws {
    let events = try await archive.events(of: persons)
    let line = PersonLine(style: style)
    try console.write(zip(persons, events).map { line($0, $1) + "\n" }.joined())
  }
}
