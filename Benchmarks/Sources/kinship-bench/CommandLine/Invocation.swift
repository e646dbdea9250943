/// A parsed command line.
enum Invocation {
  case help(Subcommand?)
  case run(Subcommand, Options)
  case runAll(Options)
  case watch(Watcher)

  init(arguments: [String]) throws(UsageError) {
    if let watcher = Watcher(arguments: arguments) {
      self = .watch(watcher)
      return
    }
    let subcommand = Subcommand.all.first { $0.name == arguments.first }
    if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help(subcommand)
    } else if let subcommand {
      self = .run(subcommand, try Self.options(arguments.dropFirst(), for: [subcommand]))
    } else if arguments.first == "all" {
      self = .runAll(try Self.options(arguments.dropFirst(), for: Subcommand.all))
    } else if let name = arguments.first, !name.hasPrefix("-") {
      throw .unknown(name, kind: "subcommand", known: Subcommand.all.map(\.name) + ["all"])
    } else {
      throw .missingSubcommand
    }
  }

  private static func options(
    _ arguments: ArraySlice<String>, for subcommands: [Subcommand]
  ) throws(UsageError) -> Options {
    let cases = subcommands.flatMap { $0.allCases("") }
    var options = Options()
    var remaining = arguments
    while let option = remaining.popFirst() {
      switch option {
      case "--quick":
        options.effort = .quick
      case "--rounds":
        let value = try popValue(of: option, from: &remaining)
        guard let rounds = Int(value), (1...1000).contains(rounds) else {
          throw .invalidRounds(value)
        }
        options.rounds = rounds
      case "--largest":
        let value = try popValue(of: option, from: &remaining)
        guard let size = Int(value), size > 0 else { throw .invalidSize(value) }
        options.largest = size
      case "--gedcom":
        guard subcommands.contains(where: { $0.casesOfFile != nil }) else { throw unknown(option) }
        options.gedcomPath = try popValue(of: option, from: &remaining)
      case "--only":
        let name = try popValue(of: option, from: &remaining)
        guard cases.contains(where: { $0.name == name }) else {
          throw .unknown(name, kind: "case", known: cases.map(\.name).uniqued())
        }
        options.only.append(name)
      case "--json":
        options.jsonPath = try popValue(of: option, from: &remaining)
      case "--svg":
        options.svgPath = try popValue(of: option, from: &remaining)
      default:
        throw unknown(option)
      }
    }
    return options
  }

  private static func unknown(_ option: String) -> UsageError {
    .unknown(
      option, kind: "option",
      known: [
        "--quick", "--only", "--rounds", "--largest", "--gedcom", "--json", "--svg", "--help",
      ])
  }

  private static func popValue(
    of option: String, from remaining: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = remaining.popFirst(), !value.hasPrefix("--") else {
      throw .missingValue(option: option)
    }
    return value
  }
}
