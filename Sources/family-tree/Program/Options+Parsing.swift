import KinshipProgram

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
      throw .misuse("the chart would be written over \(file)")
    }
    if let path = store?.path, [file, svg, dot, snapshot].contains(path) {
      throw .misuse("\(path) cannot be the store and something else")
    }
    if let snapshot, [file, svg, dot].contains(snapshot) {
      throw .misuse("\(snapshot) cannot be the snapshot and something else")
    }
    try checkQuestion()
    if snapshot != nil, file == nil, store == nil, !help {
      throw .misuse("--snapshot needs a GEDCOM file or --store")
    }
  }

  private mutating func setFile(_ path: String) throws(Failure) {
    if let file { throw .misuse("one file at a time: \(file) or \(path)") }
    file = path
  }

  private mutating func set(_ argument: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    var option = OptionArgument(argument)
    let name = option.name

    func value(_ what: String) throws(Failure) -> String {
      guard let value = option.takeValue(from: &rest) else {
        throw .misuse("\(name) needs \(what)")
      }
      return value
    }

    switch name {
    case "--help", "-h": help = true
    case "--summary": summary = true
    case "--stats": stats = true
    case "--learn": learn = true
    case "--shell": shell = true
    case "--person": person = try value("an xref or a name")
    case "--find": find = try value("a name")
    case "--svg": svg = try value("a file to write to")
    case "--dot": dot = try value("a file to write to")
    case "--report": report = try value("a file to write to")
    case "--ancestors": ancestors = try Self.generations(value("a number, or all"), for: name)
    case "--descendants": descendants = try Self.generations(value("a number, or all"), for: name)
    case "--store": store = try StoreLocation(value(StoreLocation.usage))
    case "--snapshot": snapshot = try value("a file")
    case "--where": try conditions.append(Self.condition(value("a condition")))
    case "--sort": order = try Self.order(value("what to sort by"))
    case "--page": page = try Self.number(value("a number"), upTo: 1_000_000, for: name)
    case "--page-size": pageSize = try Self.number(value("a number"), upTo: 10_000, for: name)
    case "--after": cursor = try Self.cursor(value("what a page has ended with"))
    case "--count-by": grouping = try Self.grouping(value("what to count by"))
    case "--capacity": capacity = try Self.capacity(value("a number"))
    default: throw Self.unknown(name)
    }
    if option.hasValueLeft { throw .misuse("\(name) takes no value") }
  }

  private static func generations(_ text: String, for name: String) throws(Failure) -> Int {
    if text == "all" { return allGenerations }
    guard let number = Int(text), (0...allGenerations).contains(number) else {
      throw .misuse("\(name) takes a number of generations, or all; not \(text.quoted)")
    }
    return number
  }

  private static func capacity(_ text: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0 else {
      throw .misuse("--capacity takes a number of records from 1; not \(text.quoted)")
    }
    return number
  }

  private static func unknown(_ name: String) -> Failure {
    let known = [
      "--help", "--summary", "--stats", "--person", "--find", "--svg", "--dot", "--ancestors",
      "--descendants", "--capacity", "--shell", "--store", "--snapshot", "--where",
      "--sort", "--page", "--page-size", "--after", "--count-by", "--learn", "--report",
    ]
    let near = known.first { $0.hasPrefix(name) && name.count > 3 || name.hasPrefix($0) }
    return .misuse(
      "there is no option \(name.quoted)" + (near.map { "; did you mean \($0)?" } ?? ""))
  }
}
