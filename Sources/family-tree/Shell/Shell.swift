import Foundation
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
    ("show ID [GENERATIONS]", "a person with the next of kin, and so many generations"),
    ("find NAME", "everybody with such a name"),
    ("rename ID NEW NAME", "give a person another name"),
    ("delete ID", "delete a person with all events, or a family (F1) without children"),
    ("undo", "undo the last edit"),
    ("redo", "make it again"),
    ("changes", "what has changed since the shell began"),
    ("watch ID [GENERATIONS]", "tell what becomes of a person's pedigree"),
    ("help", "show this"),
    ("quit", "end; so does the end of the input"),
  ]

  static let helpText =
    commands.map { usage, help in "\(usage.padded(to: 23)) \(help)\n" }.joined() + """

      ID is an xref (@I1@ or I1), or words of a person's name; before other words, one word.
      Before each command the shell learns what others have changed, and tells what has become
      of everything that is watched. A line that begins with # is a remark.

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

  /// Ends all watches.
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
    case ("delete", 1...):
      try await delete(words.joined(separator: " "))
    case ("undo", 0): try await report(undoStack.undo(), or: "there is no edit to undo")
    case ("redo", 0): try await report(undoStack.redo(), or: "there is no edit to redo")
    case ("changes", 0): try program.console.write(text.draw(changes))
    case ("watch", 1...):
      let (who, generations) = personAndGenerations
      try await watch(archive.person(who), generations: generations ?? Options.allGenerations)
    case ("help", 0): try program.console.write(Self.helpText)
    default:
      let usage = Self.commands.map(\.0).first { $0.prefix { $0 != " " } == name }
      throw Failure(
        status: .usage,
        message: usage.map { "the command is written: \($0)" }
          ?? "there is no command \(name.quoted). Try help")
    }
  }

  // MARK: Edits

  /// Deletes a family or a person, with the records that the delete rules cascade to.
  private mutating func delete(_ text: String) async throws {
    if let family = try await archive.family(text) {
      try await report(undoStack.write { tx in try tx.delete(family.ref) })
    } else {
      let person = try await archive.person(text)
      try await report(undoStack.write { tx in try tx.delete(person) })
    }
  }

  /// Shows what a command has changed, or fails if there was nothing to change.
  private mutating func report(_ changes: ChangeSet?, or failure: String = "") async throws {
    guard let changes else { throw Failure(status: .notFound, message: failure) }
    self.changes = self.changes.merging(changes)
    try program.console.write(text.draw(changes))
    try await tellWatched()
  }

  // MARK: Watching

  private mutating func watch(_ person: Ref<Person>, generations: Int) async throws {
    let watch = await Watch(person, generations: generations, in: archive.cache)
    let count = try await watch.news().last?.value?.count ?? 0
    watches.append(watch)
    try program.console.write("watching \(person.id): \(count.counted("person"))\n")
  }

  /// Shows the changes of everything that is watched.
  private mutating func tellWatched() async throws {
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

/// The source of the shell's commands.
struct LineSource: Sendable {
  /// Whether a person types the commands, and needs a prompt.
  let isTerminal: Bool
  /// Reads the next line without its line feed; `nil` at the end.
  let nextLine: @Sendable () -> String?

  static let standardInput = LineSource(isTerminal: isatty(STDIN_FILENO) == 1) { readLine() }
}
