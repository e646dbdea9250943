import Kinship

/// The program: from its arguments to its exit status.
struct FamilyTreeProgram {
  let console: any Console

  private var style: TextStyle { console.style }

  func run(_ arguments: [String]) async -> ExitStatus {
    do {
      try await perform(Options(arguments))
      return .success
    } catch let failure as Failure {
      console.complain(failure.description)
      return failure.status
    } catch OutputError.closed {
      // Whoever reads has seen enough.
      return .success
    } catch OutputError.failed(let cause) {
      return end(.outputFailed, "the output cannot be written: \(cause)")
    } catch {
      return end(.software, "\(error)")
    }
  }

  private func end(_ status: ExitStatus, _ message: String) -> ExitStatus {
    console.complain(Failure(status: status, message: message).description)
    return status
  }

  private func perform(_ options: Options) async throws {
    if options.help { return try console.write(helpText) }

    let archive = try Archive(genealogy(in: options.file), capacity: options.capacity)
    if let name = options.find { try await find(name, in: archive) }
    if options.summary { try await summarize(archive, options) }
    if options.showsPerson { try await showPerson(in: archive, options) }
    if options.svg != nil || options.dot != nil { try await chart(archive, options) }
    if options.stats {
      try heading("Cost")
      try console.write(
        CostText(style: style).draw(archive.cache.statistics, capacity: options.capacity))
    }
  }

  private func heading(_ text: String) throws { try console.write("\n\(style.bold(text))\n") }
}

// MARK: - The genealogy

extension FamilyTreeProgram {
  private func genealogy(in file: String?) throws -> Genealogy {
    guard let file else { return SampleGenealogy.make() }
    let bytes = try FileAccess.read(file)
    var meter = ProgressMeter("Reading \(file)", on: console)
    defer { meter.end() }
    do throws(GedcomError) {
      let (genealogy, diagnostics) = try GenealogyReader.read(bytes) { meter.update($0) }
      meter.end()
      for line in diagnostics.report(for: file) { console.complain(line) }
      return genealogy
    } catch {
      throw Failure(
        status: .badData, subject: file, line: error.line, message: error.message)
    }
  }

  private func person(in archive: Archive, _ options: Options) async throws -> Ref<Person> {
    guard let who = options.person else {
      guard let first = archive.persons.first else {
        let file = options.file ?? "the genealogy"
        throw Failure(status: .badData, subject: file, message: "there are no individuals")
      }
      return first
    }
    let xref = who.hasPrefix("@") ? who : "@\(who)@"
    if let person = try await archive.cache.find(Ref<Person>(xref)) { return person.ref }
    return try await person(called: who, in: archive)
  }

  private func person(called name: String, in archive: Archive) async throws -> Ref<Person> {
    let query = NameQuery(name)
    let candidates = try await archive.everybody().filter(query.matches)
    let namesakes = candidates.filter(query.isName)
    if let only = namesakes.count == 1 ? namesakes.first : candidates.first,
      candidates.count == 1 || namesakes.count == 1
    {
      return only.ref
    }
    guard !candidates.isEmpty else {
      throw Failure(
        status: .notFound, message: "nobody is called \(name.quoted); try --find with less of it")
    }
    let shown = candidates.prefix(10).map { "  \($0.id) \($0.name.display)" }
    let rest =
      candidates.count > shown.count ? ["  and \(candidates.count - shown.count) more"] : []
    let list = (shown + rest).joined(separator: "\n")
    throw Failure(status: .notFound, message: "\(name.quoted) is the name of several:\n\(list)")
  }
}

// MARK: - What is asked for

extension FamilyTreeProgram {
  private func find(_ name: String, in archive: Archive) async throws {
    let found = try await archive.everybody().filter(NameQuery(name).matches)
    guard !found.isEmpty else {
      throw Failure(status: .notFound, message: "nobody is called \(name.quoted)")
    }
    let line = PersonLine(style: style)
    var text = ""
    for person in found {
      let life = try await archive.cache.graph(of: person.ref, .including(\.events))
      text += line(life.root) + "\n"
    }
    try console.write(text + "\(found.count.counted("individual"))\n")
  }

  private func summarize(_ archive: Archive, _ options: Options) async throws {
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

  private func showPerson(in archive: Archive, _ options: Options) async throws {
    let person = try await person(in: archive, options)
    let tree = TextTree(style: style, width: console.width)
    try await console.write(PersonCard(style: style).draw(archive.household(of: person)))

    let isDefault = options.descendants == nil
    if let generations = options.ancestors ?? (isDefault ? Options.defaultAncestors : nil) {
      try heading("Ancestors")
      try await console.write(
        tree.draw(archive.pedigree(of: person, generations: generations)))
    }
    if let generations = options.descendants {
      try heading("Descendants")
      try await console.write(
        tree.draw(archive.descendants(of: person, generations: generations)))
    }
  }

  private func chart(_ archive: Archive, _ options: Options) async throws {
    let person = try await archive.cache.resolve(person(in: archive, options))
    let generations = options.ancestors ?? Options.defaultAncestors
    let tree = try await archive.pedigree(of: person.ref, generations: generations)
    let title = "Ancestors of \(person.name.display)"
    if let path = options.svg {
      try FileAccess.write(PedigreeChart(tree).svg(title: title), to: path)
    }
    if let path = options.dot {
      try FileAccess.write(DotGraph(tree: tree).dot(title: title), to: path)
    }
  }
}
