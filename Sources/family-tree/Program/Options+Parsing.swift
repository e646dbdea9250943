extension Options {
  /// Reads the arguments of the command line, without the program's own name.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var optionsEnd = false
    while let argument = rest.popFirst() {
      if argument == "--", !optionsEnd {
        optionsEnd = true
      } else if optionsEnd || !argument.hasPrefix("-") {
        try setFile(argument)
      } else {
        try set(argument, &rest)
      }
    }
    if let file, [svg, dot].contains(file) {
      throw Self.misuse("the chart would be written over \(file)")
    }
    if let store, [file, svg, dot].contains(store) {
      throw Self.misuse("\(store) cannot be the database and something else")
    }
  }

  private mutating func setFile(_ path: String) throws(Failure) {
    if let file { throw Self.misuse("one file at a time: \(file) or \(path)") }
    file = path
  }

  private mutating func set(_ argument: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? argument
    var inlineValue = parts.count > 1 ? String(parts[1]) : nil

    func value(_ what: String) throws(Failure) -> String {
      if let value = inlineValue {
        inlineValue = nil
        return value
      }
      guard let value = rest.first, !value.hasPrefix("--") else {
        throw Self.misuse("\(name) needs \(what)")
      }
      rest.removeFirst()
      return value
    }

    switch name {
    case "--help", "-h": help = true
    case "--summary": summary = true
    case "--stats": stats = true
    case "--shell": shell = true
    case "--person": person = try value("an xref or a name")
    case "--find": find = try value("a name")
    case "--svg": svg = try value("a file to write to")
    case "--dot": dot = try value("a file to write to")
    case "--ancestors": ancestors = try Self.generations(value("a number, or all"), for: name)
    case "--descendants": descendants = try Self.generations(value("a number, or all"), for: name)
    case "--store": store = try Self.database(value("sqlite:FILE"))
    case "--capacity": capacity = try Self.capacity(value("a number"))
    default: throw Self.unknown(name)
    }
    if inlineValue != nil { throw Self.misuse("\(name) takes no value") }
  }

  private static func generations(_ text: String, for name: String) throws(Failure) -> Int {
    if text == "all" { return allGenerations }
    guard let number = Int(text), (0...allGenerations).contains(number) else {
      throw misuse("\(name) takes a number of generations, or all; not \(text.quoted)")
    }
    return number
  }

  private static func capacity(_ text: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0 else {
      throw misuse("--capacity takes a number of records from 1; not \(text.quoted)")
    }
    return number
  }

  private static func database(_ text: String) throws(Failure) -> String {
    #if SQLite
      let scheme = "sqlite:"
      let path = text.dropFirst(scheme.count)
      // A database in memory would be gone between the import and the questions.
      guard text.hasPrefix(scheme), !path.isEmpty, path != ":memory:" else {
        throw misuse("--store takes sqlite:FILE; not \(text.quoted)")
      }
      return String(path)
    #else
      throw misuse(
        "--store needs SQLite, which this program is built without; "
          + "build it with: swift run --traits SQLite family-tree --store \(text)")
    #endif
  }

  private static func unknown(_ name: String) -> Failure {
    let known = [
      "--help", "--summary", "--stats", "--person", "--find", "--svg", "--dot", "--ancestors",
      "--descendants", "--capacity", "--shell", "--store",
    ]
    let near = known.first { $0.hasPrefix(name) && name.count > 3 || name.hasPrefix($0) }
    return misuse(
      "there is no option \(name.quoted)" + (near.map { "; did you mean \($0)?" } ?? ""))
  }

  private static func misuse(_ message: String) -> Failure {
    Failure(status: .usage, message: "\(message)\nTry family-tree --help.")
  }
}
