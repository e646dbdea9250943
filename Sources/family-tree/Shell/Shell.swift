import Kinship
import KinshipProgram

/// Carries out commands on an archive, one a line.
struct Shell {
  let archive: Archive
  let program: FamilyTreeProgram
  /// All edits go through it, so that they can be undone.
  private let undoStack: UndoStack
  /// What the shell has changed since it began.
  private var changes = ChangeSet()
  private var watches: [Watch] = []

  /// How each command is written, and what it does.
  static let commands = [
    ("show ID [GENERATIONS]", "a person with the next of kin, and so many generations"),
    ("find NAME", "everybody with such a name"),
    ("rename ID NEW NAME", "give a person another name"),
    ("add-child FAMILY NAME [SEX]", "add a child to a family; SEX is M, F, X or U"),
    ("delete ID", "delete a person with all events, or a family without children"),
    ("undo", "undo the last edit"),
    ("redo", "make it again"),
    ("changes", "what has changed since the shell began"),
    ("watch ID [GENERATIONS]", "tell what becomes of a person's pedigree"),
    ("watch where CONDITION… [sort KEYS] [first N]", "tell what becomes of a list of persons"),
    ("help", "show this"),
    ("quit", "end; so does the end of the input"),
  ]

  static let helpText =
    commands.map { usage, help in "\(usage.padded(to: 29)) \(help)\n" }.joined() + """

      ID and FAMILY are xrefs (@I1@ or I1, F1). An ID may also be enough of a person's name
      to be the only one; before other words, one word of it. CONDITION and KEYS are those of
      --where and --sort. Edits are kept in memory, or with --store in the store; the file
      stays as it is. Before each command the shell learns what others have changed, and tells
      what has become of everything that is watched. A line that begins with # is a remark.

      """

  init(_ archive: Archive, _ program: FamilyTreeProgram) {
    self.archive = archive
    self.program = program
    undoStack = UndoStack(archive.cache)
  }

  private var text: ChangeText { ChangeText(style: program.style) }

  /// Carries out all commands of a source.
  ///
  /// A mistake is told and the next command read.
  ///
  /// - Returns: The status of the first mistake, unless somebody types and has seen it.
  /// - Throws: `OutputError` if nobody reads the answers any longer.
  mutating func run(_ input: LineSource) async throws -> ExitStatus {
    var status = ExitStatus.success
    var lineNumber = 0
    while true {
      if input.isTerminal { program.console.prompt("> ") }
      guard let line = input.nextLine(), line != "quit" else { return status }
      lineNumber += 1
      do {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { continue }
        try await archive.catchUp()
        try await tellWatched()
        try await perform(name, words.dropFirst())
      } catch let error as OutputError {
        throw error
      } catch {
        var failure = Failure(error)
        if !input.isTerminal {
          (failure.subject, failure.line) = ("standard input", lineNumber)
          if status == .success { status = failure.status }
        }
        program.console.complain(failure.description)
      }
    }
  }

  /// Stops following what is watched.
  func end() async {
    for watch in watches { await watch.end() }
  }

  private mutating func perform(_ name: String, _ words: ArraySlice<String>) async throws {
    var words = words
    /// The words, and the number of generations after them, if there is one.
    var personAndGenerations: (String, Int?) {
      let generations = words.count > 1 ? words.last.flatMap(Options.generations) : nil
      return (words.dropLast(generations == nil ? 0 : 1).joined(separator: " "), generations)
    }

    switch (name, words.count) {
    case ("show", 1...):
      let (who, generations) = personAndGenerations
      try await program.show(archive.person(who), ancestors: generations, in: archive)
    case ("find", 1...):
      try await program.list(.init(conditions: [.name(Array(words))]), in: archive)
    case ("rename", 2...):
      let person = try await archive.person(words.removeFirst())
      let name = PersonName(gedcom: words.joined(separator: " "))
      try await report(undoStack.write { tx in try tx.update(person, \.name, to: name) })
    case ("add-child", 2...):
      let xref = words.removeFirst()
      guard let family = try await archive.family(xref) else {
        throw Failure(status: .notFound, message: "there is no family \(xref.quoted)")
      }
      let sex = words.count > 1 ? words.last.flatMap(Sex.init(rawValue:)) : nil
      if sex != nil { words.removeLast() }
      let name = PersonName(gedcom: words.joined(separator: " "))
      try await addChild(name, sex ?? .unknown, to: family.ref)
    case ("delete", 1...):
      try await delete(words.joined(separator: " "))
    case ("undo", 0):
      guard let changes = try await undoStack.undo() else {
        throw Failure(status: .notFound, message: "there is nothing to undo")
      }
      try await report(changes)
    case ("redo", 0):
      guard let changes = try await undoStack.redo() else {
        throw Failure(status: .notFound, message: "there is nothing to redo")
      }
      try await report(changes)
    case ("changes", 0): try program.console.write(text.draw(changes))
    case ("watch", 1...) where words.first == "where":
      try await watch(PersonQuestion(words: words.dropFirst()))
    case ("watch", 1...):
      let (who, generations) = personAndGenerations
      try await watch(archive.person(who), generations: generations ?? Options.allGenerations)
    case ("help", 0): try program.console.write(Self.helpText)
    default:
      let usages = Self.commands.map(\.0).filter { $0.prefix { $0 != " " } == name }
      throw Failure(
        status: .usage,
        message: usages.isEmpty
          ? "there is no command \(name.quoted); try help"
          : "the command is written \(usages.joined(separator: ", or "))")
    }
  }

  // MARK: Edits

  private mutating func addChild(
    _ name: PersonName, _ sex: Sex, to family: Ref<Family>
  ) async throws {
    let number = try await archive.nextNumber()
    try await report(
      undoStack.write { tx in
        guard let family = tx[family] else { throw KinshipError.missing(AnyRef(family)) }
        var suffix = number + 1
        while tx.contains(Ref<Person>("@I\(suffix)@")) { suffix += 1 }
        var child = Person(id: "@I\(suffix)@", number: number, name: name, sex: sex)
        (child.father, child.mother) = (family.husband, family.wife)
        child.familyOfBirth = family.ref
        try tx.insert(child)
        try tx.update(family.ref, \.children, to: family.children + [child.ref])
      })
  }

  /// Deletes a family or a person: the rules of their relationships say what goes with them.
  private mutating func delete(_ text: String) async throws {
    if let family = try await archive.family(text) {
      try await report(undoStack.write { tx in try tx.delete(family.ref) })
    } else {
      let person = try await archive.person(text)
      try await report(undoStack.write { tx in try tx.delete(person) })
    }
  }

  /// Tells what a command has changed.
  private mutating func report(_ changes: ChangeSet) async throws {
    self.changes = self.changes.merging(changes)
    try program.console.write(text.draw(changes))
    try await tellWatched()
  }

  // MARK: Watching

  private mutating func watch(_ person: Ref<Person>, generations: Int) async throws {
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    let text = text
    try await begin(
      Watch(
        archive.cache.observe(graphOf: person, plan), called: person.id, in: archive.cache
      ) { change, isFirst in
        isFirst
          ? "watching \(person.id): \((change.value?.count ?? 0).counted("person"))\n"
          : text.draw(change, of: person.id)
      })
  }

  private mutating func watch(_ question: PersonQuestion) async throws {
    let (name, text) = ("q\(watches.count + 1)", text)
    try await begin(
      Watch(archive.cache.observe(question.query), called: name, in: archive.cache) {
        change, isFirst in
        isFirst ? text.draw(change.value, of: name) : text.draw(change.diff, of: name)
      })
  }

  private mutating func begin(_ watch: Watch) async throws {
    watches.append(watch)
    try await tellWatched()
  }

  /// Tells what has become of everything that is watched.
  private mutating func tellWatched() async throws {
    for watch in watches {
      let (text, failure) = await watch.news()
      try program.console.write(text)
      guard let failure else { continue }
      watches.removeAll { $0 === watch }
      let cause = Failure(failure)
      throw Failure(
        status: cause.status, message: "\(watch.name) is no longer watched: \(cause.message)")
    }
  }
}

extension PersonQuestion {
  /// Reads what follows `watch where`: conditions, `sort` with keys, `first` with a number.
  fileprivate init(words: ArraySlice<String>) throws(Failure) {
    func mistake(_ word: String?, _ usage: String) -> Failure {
      Failure(status: .usage, message: "\(usage) is needed; not \((word ?? "").quoted)")
    }
    self.init()
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "sort":
        let keys = words.popFirst()
        guard let order = keys.flatMap(PersonOrder.list) else {
          throw mistake(keys, PersonOrder.usage)
        }
        self.order = order
      case "first":
        let count = words.popFirst()
        limit = count.flatMap(Int.init)
        if !(1...10_000).contains(limit ?? 0) { throw mistake(count, "a number to 10,000") }
      default:
        guard let condition = PersonCondition(word) else {
          throw mistake(word, PersonCondition.usage)
        }
        conditions.append(condition)
      }
    }
    if conditions.isEmpty { throw mistake(nil, PersonCondition.usage) }
  }
}
