import Kinship
import KinshipProgram

/// Runs commands on an archive, one on each line.
struct Shell {
  let archive: Archive
  let program: FamilyTreeProgram
  /// All edits go through it, so that they can be undone.
  private let undoStack: UndoStack
  /// The changes that the shell has made.
  private var changes = ChangeSet()
  private var watches: [Watch] = []

  /// The syntax of each command, and its effect.
  static let commands = [
    ("show WHO [GENERATIONS]", "show a person with so many generations, or a family"),
    ("find NAME", "list the persons with such a name"),
    ("rename WHO NEW NAME", "rename a person; WHO is one word"),
    ("delete WHO", "delete a person, or a family without children"),
    ("undo", "undo the last edit"),
    ("redo", "repeat the edit that was undone"),
    ("changes", "list what has changed since the shell began"),
    ("watch WHO [GENERATIONS]", "report changes of a person's pedigree"),
    ("help", "show this"),
    ("quit", "end; so does the end of the input"),
  ]

  static let helpText =
    commands.map { usage, help in "\(usage.padded(to: 24)) \(help)\n" }.joined() + """

      WHO is the id of a person or a family (I1, F1), or words of a person's name.
      Before each command the shell loads what other programs have changed, and
      reports changes of what you watch. A line that begins with # is a comment.

      """

  init(_ archive: Archive, _ program: FamilyTreeProgram) {
    self.archive = archive
    self.program = program
    undoStack = UndoStack(archive.cache)
  }

  private var text: ChangeText { ChangeText(style: program.style) }

  /// Runs all commands of a source.
  ///
  /// The shell reports a mistake and reads the next command.
  ///
  /// - Returns: The status of the first mistake; success if a person types the commands and saw it.
  /// - Throws: `OutputError` if nobody reads the answers any longer.
  mutating func run(_ input: LineSource) async throws -> ExitStatus {
    var status = ExitStatus.success
    var lineNumber = 0
    while true {
      guard let line = input.nextLine(input.isTerminal ? "> " : ""), line != "quit" else {
        return status
      }
      lineNumber += 1
      do {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let name = words.first, !name.hasPrefix("#") else { continue }
        try await archive.catchUp()
        try await reportWatched()
        try await perform(name, words.dropFirst(), input)
      } catch let error as OutputError {
        throw error
      } catch {
        var failure = Failure(error)
        if !input.isTerminal {
          (failure.subject, failure.line) = ("standard input", lineNumber)
          if status == .success { status = failure.status }
        }
        program.console.complain(failure.description(in: "family-tree"))
      }
    }
  }

  func end() async {
    for watch in watches { await watch.end() }
  }

  private mutating func perform(
    _ name: String, _ words: ArraySlice<String>, _ input: LineSource
  ) async throws {
    var words = words
    /// The words, and the number of generations after them, if there is one.
    var personAndGenerations: (String, Int?) {
      let generations = words.count > 1 ? words.last.flatMap(Options.generations) : nil
      return (words.dropLast(generations == nil ? 0 : 1).joined(separator: " "), generations)
    }

    switch (name, words.count) {
    case ("show", 1...):
      let (who, generations) = personAndGenerations
      if let family = try await archive.family(who) {
        try await program.show(family, in: archive)
      } else {
        try await program.show(archive.person(who).ref, ancestors: generations, in: archive)
      }
    case ("find", 1...):
      try await program.list(.init(conditions: [.name(Array(words))]), in: archive)
    case ("rename", 2...):
      let person = try await archive.person(words.removeFirst()).ref
      let name = PersonName(gedcom: words.joined(separator: " "))
      try await report(undoStack.write { tx in try tx.update(person) { $0.name = name } })
    case ("delete", 1...):
      try await delete(words.joined(separator: " "), input)
    case ("undo", 0): try await report(undoStack.undo(), or: "there is no edit to undo")
    case ("redo", 0): try await report(undoStack.redo(), or: "there is no edit to redo")
    case ("changes", 0): try program.console.write(text.draw(changes))
    case ("watch", 1...):
      let (who, generations) = personAndGenerations
      try await watch(archive.person(who).ref, generations: generations ?? Options.allGenerations)
    case ("help", 0): try program.console.write(Self.helpText)
    default:
      let usages = Self.commands.map(\.0)
      let names = usages.map { String($0.prefix { $0 != " " }) }
      let message =
        names.firstIndex(of: name).map { "the command is written: \(usages[$0])" }
        ?? "there is no command \(name.quoted)"
        + (names.nearest(to: name) == nil ? ". Try help" : names.suggestion(for: name))
      throw Failure(status: .usage, message: message)
    }
  }

  // MARK: Edits

  /// Deletes a family or a person, with the records that the delete rules cascade to.
  private mutating func delete(_ text: String, _ input: LineSource) async throws {
    if let family = try await archive.family(text) {
      return try await report(undoStack.write { tx in try tx.delete(family.ref) })
    }
    let person = try await archive.person(text)
    guard Archive.isExact(text, for: person) || input.isTerminal else {
      throw Failure(
        status: .notFound,
        message: "\(text.quoted) is only a part of a name. To delete \(person.label), give the id")
    }
    if !Archive.isExact(text, for: person) {
      let answer = input.nextLine("Delete \(person.label)? [y/N] ")?.lowercased() ?? ""
      guard !answer.isEmpty, "yes".hasPrefix(answer) else {
        return try program.console.write("nothing has changed\n")
      }
    }
    try await report(undoStack.write { tx in try tx.delete(person.ref) })
  }

  /// Shows what a command has changed, or fails if there was nothing to change.
  private mutating func report(_ changes: ChangeSet?, or failure: String = "") async throws {
    guard let changes else { throw Failure(status: .notFound, message: failure) }
    self.changes = self.changes.merging(changes)
    try program.console.write(text.draw(changes))
    try await reportWatched()
  }

  // MARK: Watching

  private mutating func watch(_ person: Ref<Person>, generations: Int) async throws {
    let watch = await Watch(person, generations: generations, in: archive.cache)
    let count = try await watch.news().last?.value?.count ?? 0
    watches.append(watch)
    try program.console.write("watching \(person.id): \(count.counted("person"))\n")
  }

  /// Shows the changes of everything that is watched.
  private mutating func reportWatched() async throws {
    for watch in watches {
      do {
        for change in try await watch.news() {
          try program.console.write(text.draw(change, of: watch.person.id))
        }
      } catch let error as OutputError {
        throw error
      } catch {
        watches.removeAll { $0 === watch }
        let cause = Failure(error)
        throw Failure(
          status: cause.status,
          message: "\(watch.person.id) is no longer watched: \(cause.message)")
      }
    }
  }
}
