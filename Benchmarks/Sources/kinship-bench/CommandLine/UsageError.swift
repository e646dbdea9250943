/// An invalid command line, with the reason.
enum UsageError: Error, CustomStringConvertible {
  case missingSubcommand
  case unknownSubcommand(String)
  case unknownOption(String)
  case missingValue(option: String)
  case invalidRounds(String)
  case invalidSize(String)
  case unknownCase(String, known: [String])

  var description: String {
    switch self {
    case .missingSubcommand:
      "the first argument names the subcommand"
    case .unknownSubcommand(let name):
      "no subcommand is called '\(name)'"
    case .unknownOption(let option):
      "no option is called '\(option)'"
    case .missingValue(let option):
      "\(option) needs a value"
    case .invalidRounds(let value):
      "--rounds takes a whole number from 1 to 1000, not '\(value)'"
    case .invalidSize(let value):
      "--largest takes a whole number from 1 on, not '\(value)'"
    case .unknownCase(let name, let known):
      "no case is called '\(name)'; there are \(known.joined(separator: ", "))"
    }
  }
}
