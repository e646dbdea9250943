/// What the command line says to do.
enum Invocation {
  case help(Subcommand?)
  case run(Subcommand, Options)

  init(arguments: [String]) throws(UsageError) {
    let asksForHelp = arguments.contains { $0 == "--help" || $0 == "-h" }
    guard let name = arguments.first(where: { !$0.hasPrefix("-") }) ?? arguments.first else {
      throw .missingSubcommand
    }
    guard let subcommand = Subcommand.all.first(where: { $0.name == name }) else {
      if asksForHelp {
        self = .help(nil)
        return
      }
      throw name.hasPrefix("-") ? .missingSubcommand : .unknownSubcommand(name)
    }
    if asksForHelp {
      self = .help(subcommand)
      return
    }
    self = .run(subcommand, try Self.options(arguments, for: subcommand))
  }

  private static func options(
    _ arguments: [String], for subcommand: Subcommand
  ) throws(UsageError) -> Options {
    var options = Options()
    var remaining = arguments.dropFirst()
    guard arguments.first == subcommand.name else {
      throw .unknownOption(arguments.first ?? "")
    }
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
      case "--only":
        let name = try popValue(of: option, from: &remaining)
        guard subcommand.cases.contains(where: { $0.name == name }) else {
          throw .unknownCase(name, known: subcommand.cases.map(\.name))
        }
        options.only.append(name)
      case "--json":
        options.jsonPath = try popValue(of: option, from: &remaining)
      case "--svg":
        options.svgPath = try popValue(of: option, from: &remaining)
      default:
        throw .unknownOption(option)
      }
    }
    return options
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
