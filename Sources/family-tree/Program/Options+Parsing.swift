import Foundation
import Kinship
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
    if let path = store?.path, [file, snapshot].contains(path) {
      throw .misuse("\(path) cannot be the store and something else")
    }
    if let snapshot, snapshot == file {
      throw .misuse("\(snapshot) cannot be the snapshot and something else")
    }
    if snapshot != nil, store == nil, !help {
      throw .misuse("--snapshot needs --store")
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
    func parsed<T>(
      _ what: String, takes usage: String, _ parse: (String) -> T?
    ) throws(Failure) -> T {
      let text = try value(what)
      if let parsed = parse(text) { return parsed }
      throw .misuse("\(name) takes \(usage); not \(text.quoted)")
    }
    func generations() throws(Failure) -> Int {
      try parsed("a number, or all", takes: "a number of generations, or all", Self.generations)
    }
    func number(to limit: Int) throws(Failure) -> Int {
      try parsed("a number", takes: "a number from 1 to \(limit.grouped)") { text in
        Int(text).flatMap { (1...limit).contains($0) ? $0 : nil }
      }
    }

    switch name {
    case "--help", "-h": help = true
    case "--summary": summary = true
    case "--stats": stats = true
    case "--learn": learn = true
    case "--shell": shell = true
    case "--person": person = try value("an xref or a name")
    case "--find":
      try conditions.append(parsed("a name", takes: "a name") { PersonCondition("name=\($0)") })
    case "--report": report = try value("a file to write to")
    case "--ancestors": ancestors = try generations()
    case "--descendants": descendants = try generations()
    case "--store":
      let usage = StoreLocation.usage
      store = try parsed(usage, takes: usage) { StoreLocation($0) }
    case "--snapshot": snapshot = try value("a file")
    case "--where":
      let usage = PersonCondition.usage
      try conditions.append(parsed("a condition", takes: usage) { PersonCondition($0) })
    case "--sort":
      order = try parsed("what to sort by", takes: PersonOrder.usage, PersonOrder.list)
    case "--page-size": pageSize = try number(to: 10_000)
    case "--after":
      let what = "what a page has ended with"
      cursor = try parsed(what, takes: what) { PageCursor(text: $0) }
    case "--capacity":
      capacity = try parsed("a number", takes: "a number of records from 1") { text in
        Int(text).flatMap { $0 > 0 ? $0 : nil }
      }
    default: throw Self.unknown(name)
    }
    if option.hasValueLeft { throw .misuse("\(name) takes no value") }
  }

  /// Reads a number of generations, or `all`; `nil` if the text is neither.
  static func generations(_ text: String) -> Int? {
    if text == "all" { return allGenerations }
    return Int(text).flatMap { (0...allGenerations).contains($0) ? $0 : nil }
  }

  private static func unknown(_ name: String) -> Failure {
    let known = [
      "--help", "--summary", "--stats", "--person", "--find", "--ancestors",
      "--descendants", "--capacity", "--shell", "--store", "--snapshot", "--where",
      "--sort", "--page-size", "--after", "--learn", "--report",
    ]
    let near = known.first { $0.hasPrefix(name) && name.count > 3 || name.hasPrefix($0) }
    return .misuse(
      "there is no option \(name.quoted)" + (near.map { "; did you mean \($0)?" } ?? ""))
  }
}

extension PageCursor<Person> {
  /// Reads the value of `--after`.
  init?(text: String) {
    guard let json = try? JSONEncoder().encode(text),
      let cursor = try? JSONDecoder().decode(Self.self, from: json)
    else { return nil }
    self = cursor
  }

  /// The value for `--after`.
  var text: String {
    get throws {
      try JSONDecoder().decode(String.self, from: JSONEncoder().encode(self))
    }
  }
}
