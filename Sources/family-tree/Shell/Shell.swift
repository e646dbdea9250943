import Kinship
import KinshipProgram

/// Carries out commands on an archive, one after another.
struct Shell {
  let archive: Archive
  let console: any Console
  /// All writes go through it, and can be taken back.
  let undoStack: UndoStack
  /// What makes edits of others known as they come; nil where nobody else can edit.
  let following: GraphCache.Following?
  /// What the shell has changed since it began.
  private(set) var changes = ChangeSet()
  /// The pedigrees and the answers that are followed.
  var watches: [Watch] = []
  /// How many answers have been.
  var watchedAnswers = 0
  /// How long to wait for the store to say what others have changed.
  let longestCatchUp: Duration

  static let prompt = "> "

  init(_ archive: Archive, on console: any Console, longestCatchUp: Duration) {
    self.longestCatchUp = longestCatchUp
    self.archive = archive
    self.console = console
    undoStack = UndoStack(archive.cache)
    following = archive.follow()
  }

  var style: TextStyle { console.style }

  /// Carries out all commands of a source, and says how that ends.
  ///
  /// A mistake is told and the next command read. Who types has seen it; who sends a file learns of
  /// the first one by the status.
  ///
  /// - Throws: `OutputError` if nobody reads the answers any longer.
  mutating func run(_ input: any LineSource) async throws -> ExitStatus {
    var status = ExitStatus.success
    var lineNumber = 0
    while true {
      if input.isTerminal { console.prompt(Self.prompt) }
      guard let line = input.nextLine() else { break }
      lineNumber += 1
      do {
        guard let command = try ShellCommand(line) else { continue }
        if command == .quit { break }
        try await perform(command)
      } catch let error as OutputError {
        throw error
      } catch {
        let failure = Self.failure(error, line: input.isTerminal ? nil : lineNumber)
        console.complain(failure.description)
        if status == .success, !input.isTerminal { status = failure.status }
      }
    }
    return status
  }

  /// Lets go of the store.
  func end() async {
    await following?.finish()
    for watch in watches { await watch.end() }
  }

  private mutating func perform(_ command: ShellCommand) async throws {
    switch command {
    case .help, .wait: break
    default: try await hearOfOthers()
    }
    switch command {
    case .show(let text, let generations): try await show(text, generations: generations)
    case .find(let name): try await find(name)
    case .rename(let text, let name): try await rename(text, to: name)
    case .addChild(let parent, let name, let sex): try await addChild(of: parent, name, sex)
    case .preview(let text): try await preview(text)
    case .delete(let text): try await delete(text)
    case .undo: try await undo()
    case .redo: try await redo()
    case .changes: try console.write(ChangeText(style: style).draw(changes))
    case .watch(let text, let generations): try await watch(text, generations: generations)
    case .watchAnswer(let question): try await watch(question)
    case .unwatch(let text): try await unwatch(text)
    case .wait(let seconds): try await wait(.seconds(seconds))
    case .help: try console.write(ShellCommand.helpText)
    case .quit: break
    }
  }

  /// Takes note of what a command has changed, and says it.
  ///
  /// All edits come by here once they are made, whether anew, undone or redone.
  mutating func report(_ changes: ChangeSet) async throws {
    self.changes = self.changes.merging(changes)
    try console.write(ChangeText(style: style).draw(changes))
    try await tellWatched()
  }

  private static func failure(_ error: any Error, line: Int?) -> Failure {
    var failure =
      switch error {
      case let mistake as ShellMistake: Failure(mistake)
      case let failure as Failure: failure
      case KinshipError.missing: Failure(status: .notFound, message: "\(error)")
      case let error as KinshipError:
        Failure(error) ?? Failure(status: .notFound, message: error.description)
      default: Failure(status: .software, message: "\(error)")
      }
    if let line { (failure.subject, failure.line) = ("standard input", line) }
    return failure
  }
}
