import Kinship
import KinshipProgram

/// Why a command is not carried out; the shell goes on.
enum ShellMistake: Error, Equatable {
  case unknownCommand(String, near: String?)
  /// A command without what it is about.
  case incomplete(usage: String)
  /// A command with more than it takes.
  case tooMuch(usage: String)
  case openQuote
  /// A part of a question that says nothing, and what it takes.
  case noQuestion(String, usage: String)
  case notFound(String)
  /// A text that means several persons.
  case ambiguous(String, [Person])
  /// A person with several families, of which it is not known which one is meant.
  case severalFamilies(String, [String])
  /// Who stands in the way of a deletion.
  case denied(String, by: [String])
  case nothingToUndo
  case nothingToRedo
  case notWatched(String)
  case nothingWatched
  /// Waiting for others where nobody else can edit.
  case nobodyElse

  var status: ExitStatus {
    switch self {
    case .unknownCommand, .incomplete, .tooMuch, .openQuote, .noQuestion: .usage
    default: .notFound
    }
  }

  var message: String {
    switch self {
    case .unknownCommand(let name, let near):
      "there is no command \(name.quoted)\(near.map { "; did you mean \($0)?" } ?? "; try help")"
    case .incomplete(let usage): "it takes more: \(usage)"
    case .tooMuch(let usage): "it takes less: \(usage)"
    case .openQuote: "a quotation mark has no second one"
    case .noQuestion(let text, let usage): "it takes \(usage); not \(text.quoted)"
    case .notFound(let text): "nobody is called \(text.quoted)"
    case .ambiguous(let text, let persons):
      "\(text.quoted) is the name of several:\n"
        + Self.list(persons.map { "\($0.id) \($0.name.display)" })
    case .severalFamilies(let person, let families):
      "\(person) has several families; name one of them:\n\(Self.list(families))"
    case .denied(let subject, let others):
      "\(subject) cannot be deleted as long as there are\n\(Self.list(others))"
    case .nothingToUndo: "there is nothing to undo"
    case .nothingToRedo: "there is nothing to redo"
    case .notWatched(let text): "\(text.quoted) is not watched"
    case .nothingWatched: "nothing is watched"
    case .nobodyElse:
      "nobody else can edit this genealogy: several programs can edit one in a database"
    }
  }

  private static func list(_ items: [String]) -> String {
    let more = items.count > 10 ? ["and \(items.count - 10) more"] : []
    return (items.prefix(10) + more).map { "  \($0)" }.joined(separator: "\n")
  }
}
