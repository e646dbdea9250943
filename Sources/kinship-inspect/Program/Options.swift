import Kinship
import KinshipInspection
import KinshipProgram

struct Options: Equatable {
  enum Command: String, CaseIterable {
    case show, verify, export, `import`, salvage, compact, diff, tree

    var operands: [String] {
      switch self {
      case .show, .verify, .export, .import, .salvage, .compact: ["a path"]
      case .diff: ["two paths", "two paths"]
      case .tree: ["a path and a record", "a path and a record"]
      }
    }

    var formats: [Format] {
      switch self {
      case .tree: [.text, .dot, .mermaid]
      case .import: [.store, .snapshot]
      default: [.table, .jsonl, .csv]
      }
    }

    var options: Set<String> {
      switch self {
      case .show: ["--json", "--records", "--where", "--limit", "--format"]
      case .verify: ["--ref"]
      case .export: ["--to", "--records", "--where", "--limit"]
      case .import: ["--to", "--format", "--coder", "--records", "--record-version", "--text"]
      case .salvage, .compact: ["--to"]
      case .diff: ["--limit", "--json"]
      case .tree: ["--ref", "--generations", "--format"]
      }
    }
  }

  enum Format: String, CaseIterable {
    case table, jsonl, csv, text, dot, mermaid, store, snapshot
  }

  enum Coder: String, CaseIterable {
    case compact, json
  }

  var help = false
  var version = false
  var command = Command.show
  var operands: [String] = []
  var json = false
  var records: String?
  var condition: Condition?
  var limit: Int?
  var format: Format?
  var to: String?
  var coder = Coder.compact
  /// The version of the records of a table.
  var recordVersion = 1
  /// The columns of a table that always hold texts.
  var texts: Set<String> = []
  var refs: [InspectedRef] = []
  var generations = Self.defaultGenerations
  /// The present names of types, by their former names.
  var renamed: [String: String] = [:]

  static let defaultGenerations = 3
}

extension Options {
  private static var known: [CommandOption<Options>] {
    [
      CommandOption("--help", \.help), CommandOption("-h", \.help),
      CommandOption("--version", \.version), CommandOption("--json", \.json),
      CommandOption("--records", "a record type", \.records) { $0 },
      CommandOption("--where", "a condition") { $0.condition = try condition($1) },
      CommandOption("--limit", "a number", \.limit, number),
      CommandOption("--format", "one of \(names(Format.self))", \.format) { Format(rawValue: $0) },
      CommandOption("--to", "a path", \.to) { $0 },
      CommandOption("--coder", "one of \(names(Coder.self))", replacing: \.coder) {
        Coder(rawValue: $0)
      },
      CommandOption("--record-version", "a number", replacing: \.recordVersion, number),
      CommandOption("--text", "a column") { $0.texts.insert($1) },
      CommandOption(
        "--ref", "a property and its target, such as Person.father=Person", addingTo: \.refs
      ) { InspectedRef($0) },
      CommandOption("--generations", "a number", replacing: \.generations, number),
      CommandOption("--renamed", "two names") {
        let (old, new) = try renaming($1)
        $0.renamed[old] = new
      },
    ]
  }

  /// Reads the arguments of the command line, without the program's own name.
  init(_ arguments: [String]) throws {
    self.init()
    var name: String?
    let given = try Self.known.read(arguments, into: &self) { options, argument in
      if name == nil { name = argument } else { options.operands.append(argument) }
    }
    if help || version { return }
    let commands = Self.names(Command.self)
    guard let name else { throw CommandLineMistake("name a command: \(commands)") }
    guard let command = Command(rawValue: name) else {
      let suggestion = Command.allCases.map(\.rawValue).suggestion(for: name)
      throw CommandLineMistake(
        "there is no command \(name.quoted)\(suggestion.isEmpty ? "." : suggestion) "
          + "The commands are \(commands)")
    }
    self.command = command
    try check(given)
  }

  private static func names<Value: RawRepresentable<String> & CaseIterable>(
    _ type: Value.Type
  ) -> String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }

  private static func number(_ text: String) -> Int? {
    Int(text).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
  }

  private static func condition(_ text: String) throws(CommandLineMistake) -> Condition {
    do { return try Condition(text) } catch {
      throw CommandLineMistake(
        "--where: \(error.message)\n  \(error.shownText)\n  "
          + String(repeating: " ", count: error.column - 1) + "^")
    }
  }

  private static func renaming(_ text: String) throws(CommandLineMistake) -> (String, String) {
    let names = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else {
      throw CommandLineMistake(
        "--renamed takes the old name and the new one, such as Human=Person, not \(text.quoted)")
    }
    return (names[0], names[1])
  }

  /// - Throws: `CommandLineMistake` if the options contradict each other.
  private func check(_ given: [String]) throws(CommandLineMistake) {
    let name = command.rawValue
    if operands.count != command.operands.count {
      throw CommandLineMistake("the command \(name) takes \(command.operands[0])")
    }
    for option in given where option != "--renamed" && !command.options.contains(option) {
      throw CommandLineMistake("the command \(name) takes no \(option)")
    }
    if command == .show, records == nil {
      for option in ["--where", "--limit", "--format"] where given.contains(option) {
        throw CommandLineMistake("\(option) is about the records of a type: name it by --records")
      }
    }
    if json, records != nil {
      throw CommandLineMistake("for records, --json is called --format jsonl")
    }
    if command.options.contains("--to"), to == nil {
      throw CommandLineMistake("the command \(name) needs --to, the path of the file to write")
    }
    if let format, !command.formats.contains(format) {
      let names = command.formats.map(\.rawValue).joined(separator: ", ")
      throw CommandLineMistake(
        "the command \(name) has the formats \(names), not \(format.rawValue)")
    }
    if let to, operands.contains(to) {
      throw CommandLineMistake("the command would overwrite \(to). Name another path with --to")
    }
    switch command {
    case .export: try checkText(to, given)
    case .import: try checkText(operands[0], given)
    default: break
    }
  }

  /// - Throws: `CommandLineMistake` if the name is not that of a text file, or contradicts the
  ///   options.
  private func checkText(_ path: String?, _ given: [String]) throws(CommandLineMistake) {
    if command == .export, path?.hasSuffix(".sqlite") == true { return }
    if path?.hasSuffix(".csv") == true {
      if records != nil { return }
      throw CommandLineMistake("a .csv holds the records of one type: name it by --records")
    }
    guard path?.hasSuffix(".jsonl") == true else {
      throw CommandLineMistake(
        "the command \(command.rawValue) \(command == .export ? "writes" : "reads") files that end "
          + "in .jsonl or .csv" + (command == .export ? ", or .sqlite" : ""))
    }
    guard command == .import else { return }
    for option in ["--records", "--record-version", "--text"] where given.contains(option) {
      throw CommandLineMistake(
        "\(option) is about a .csv. A line of JSON names its own type and version")
    }
  }
}

extension InspectedRef {
  var name: String { property.joined(separator: ".") }

  /// The text of the option for these refs.
  var text: String { "\(type).\(name)=\(target)" }

  /// Reads `Person.father=Person`.
  init?(_ text: String) {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count == 2, !sides[1].isEmpty else { return nil }
    let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(type: parts[0], property: Array(parts[1...]), target: String(sides[1]))
  }
}
