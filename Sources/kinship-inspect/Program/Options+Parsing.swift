import Kinship
import KinshipProgram

extension Options {
  /// Reads the arguments of the command line, without the program's own name.
  init(_ arguments: [String]) throws(Failure) {
    var isCommandKnown = false
    self.init()
    do {
      let given = try Self.known.read(arguments, into: &self) { options, argument in
        if isCommandKnown {
          options.operands.append(argument)
        } else {
          options.command = try Self.command(argument)
          isCommandKnown = true
        }
      }
      if help { return }
      guard isCommandKnown else {
        throw Failure.misuse("name a command: \(Self.commands)")
      }
      try check(given)
    } catch let mistake as CommandLineMistake {
      throw .misuse(mistake.message)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(status: .software, message: error.sentences)
    }
  }

  private static var known: [CommandOption<Options>] {
    [
      CommandOption("--help", \.help), CommandOption("-h", \.help),
      CommandOption("--json", \.json),
      CommandOption("--records", "a record type", \.records) { $0 },
      CommandOption("--where", "a condition") { $0.condition = try condition($1) },
      CommandOption("--limit", "a number") { $0.limit = try number($1, from: 0, for: "--limit") },
      CommandOption("--format", "a format") { $0.format = try choice($1, of: "--format") },
      CommandOption("--to", "a path", \.to) { $0 },
      CommandOption("--coder", "a coder") { $0.coder = try choice($1, of: "--coder") },
      CommandOption("--version", "a number") {
        $0.version = try number($1, from: 0, for: "--version")
      },
      CommandOption("--text", "a column") { $0.texts.insert($1) },
      CommandOption("--ref", "a property that holds refs") { $0.refs.append(try ref($1)) },
      CommandOption("--generations", "a number") {
        $0.generations = try number($1, from: 0, for: "--generations")
      },
      CommandOption("--renamed", "two names") {
        let (old, new) = try renaming($1)
        $0.renamed[old] = new
      },
    ]
  }

  private static let commands = Command.allCases.map(\.rawValue).joined(separator: ", ")

  private static func command(_ text: String) throws(Failure) -> Command {
    guard let command = Command(rawValue: text) else {
      throw .misuse("there is no command \(text.quoted). The commands are \(commands)")
    }
    return command
  }

  /// - Throws: `Failure` if the options contradict each other.
  private func check(_ given: [String]) throws(Failure) {
    if operands.count != command.operands.count {
      throw .misuse("the command \(command.rawValue) takes \(command.operands[0])")
    }
    for name in given where name != "--renamed" && !command.options.contains(name) {
      throw .misuse("the command \(command.rawValue) takes no \(name)")
    }
    if command == .show, records == nil {
      for name in ["--where", "--limit", "--format"] where given.contains(name) {
        throw .misuse("\(name) is about the records of a type: name it by --records")
      }
    }
    if json, records != nil { throw .misuse("for records, --json is called --format jsonl") }
    if command.options.contains("--to"), to == nil {
      throw .misuse("the command \(command.rawValue) needs --to, the path of the file to write")
    }
    let formats = command.formats
    if let format, !formats.contains(format) {
      let names = formats.map(\.rawValue).joined(separator: ", ")
      throw .misuse(
        "the command \(command.rawValue) has the formats \(names), not \(format.rawValue)")
    }
    if let to, operands.contains(to) {
      throw .misuse("the command would overwrite \(to). Name another path with --to")
    }
    switch command {
    case .export: try checkText(to, given)
    case .import: try checkText(operands[0], given)
    default: break
    }
  }

  /// - Throws: `Failure` if the name is not that of a text file, or contradicts the options.
  private func checkText(_ path: String?, _ given: [String]) throws(Failure) {
    if command == .export, path?.hasSuffix(".sqlite") == true { return }
    if path?.hasSuffix(".csv") == true {
      if records != nil { return }
      throw .misuse("a .csv holds the records of one type: name it by --records")
    }
    guard path?.hasSuffix(".jsonl") == true else {
      throw .misuse(
        "the command \(command.rawValue) \(command == .export ? "writes" : "reads") files that end "
          + "in .jsonl or .csv" + (command == .export ? ", or .sqlite" : ""))
    }
    guard command == .import else { return }
    for name in ["--records", "--version", "--text"] where given.contains(name) {
      throw .misuse("\(name) is about a .csv. A line of JSON names its own type and version")
    }
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String, of option: String
  ) throws(Failure) -> Value {
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw .misuse("\(option) takes one of \(names), not \(text.quoted)")
    }
    return value
  }

  private static func condition(_ text: String) throws(Failure) -> Condition {
    do { return try Condition(text) } catch {
      throw .misuse(
        "--where: \(error.message)\n  \(error.shownText)\n  "
          + String(repeating: " ", count: error.column - 1) + "^")
    }
  }

  private static func ref(_ text: String) throws(Failure) -> RefPath {
    guard let ref = RefPath(text) else {
      throw .misuse(
        "--ref takes a property and its target, such as Person.father=Person, "
          + "not \(text.quoted)")
    }
    return ref
  }

  private static func renaming(_ text: String) throws(Failure) -> (String, String) {
    let names = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else {
      throw .misuse(
        "--renamed takes the old name and the new one, such as Human=Person, "
          + "not \(text.quoted)")
    }
    return (names[0], names[1])
  }

  private static func number(
    _ text: String, from least: Int, for name: String
  ) throws(Failure) -> Int {
    guard let number = Int(text), number >= least, number <= 1_000_000_000 else {
      throw .misuse("\(name) takes a number, not \(text.quoted)")
    }
    return number
  }
}
