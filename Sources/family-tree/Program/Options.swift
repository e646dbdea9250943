import Foundation
import Kinship
import KinshipProgram

struct Options: Equatable {
  var file: String?
  var person: String?
  var ancestors: Int?
  var question = PersonQuestion()
  var pageSize: Int?
  /// The end of the previous page.
  var cursor: PageCursor<Person>?
  var summary = false
  var shell = false
  /// The store of the genealogy; `nil` for memory.
  var store: StoreLocation?
  var snapshot: String?
  var capacity: Int?
  var stats = false
  /// Whether to learn the plan that includes everything that the answer reads.
  var learn = false
  /// The file for a page about the cache at work.
  var report: String?
  var help = false
  var version = false

  /// Whether the command line is empty, apart from a file.
  var asksNothing: Bool { self == Options(file: file) }

  /// Whether to show a person: yes, unless something else is asked for.
  var showsPerson: Bool {
    ancestors != nil || person != nil || !summary && !shell && !listsPersons
  }

  var listsPersons: Bool { question != PersonQuestion() || isPaged }

  var isPaged: Bool { pageSize != nil || cursor != nil }

  /// The largest number of records in memory.
  var recordsInMemory: Int { capacity ?? (store == nil ? .max : 500) }

  static let defaultPageSize = 20
  static let defaultAncestors = 4
  /// The number for `all`, which exceeds the length of any line of ancestors.
  static let allGenerations = 1_000_000

  /// Reads a number of generations, or `all`; `nil` if the text is neither.
  static func generations(_ text: String) -> Int? {
    text == "all" ? allGenerations : number(text, from: 0, to: allGenerations)
  }

  private static func number(_ text: String, from least: Int, to most: Int) -> Int? {
    Int(text).flatMap { (least...most).contains($0) ? $0 : nil }
  }
}

extension Options {
  private static var known: [CommandOption<Options>] {
    [
      CommandOption("--help", \.help), CommandOption("-h", \.help),
      CommandOption("--version", \.version),
      CommandOption("--person", "an xref or a name", \.person) { $0 },
      CommandOption("--ancestors", "a number of generations, or all", \.ancestors, generations),
      CommandOption("--find", "a name", addingTo: \.question.conditions) {
        PersonCondition("name=\($0)")
      },
      CommandOption("--where", PersonCondition.usage, addingTo: \.question.conditions) {
        PersonCondition($0)
      },
      CommandOption("--sort", PersonOrder.usage, replacing: \.question.order) {
        PersonOrder.list($0)
      },
      CommandOption("--page-size", "a number from 1 to 10,000", \.pageSize) {
        number($0, from: 1, to: 10_000)
      },
      CommandOption("--after", "what a page has ended with", \.cursor) { PageCursor(text: $0) },
      CommandOption("--summary", \.summary), CommandOption("--shell", \.shell),
      CommandOption("--store", StoreLocation.usage, \.store) { StoreLocation($0) },
      CommandOption("--snapshot", "a file", \.snapshot) { $0 },
      CommandOption("--capacity", "a number of records from 1", \.capacity) {
        number($0, from: 1, to: .max)
      },
      CommandOption("--stats", \.stats), CommandOption("--learn", \.learn),
      CommandOption("--report", "a file to write to", \.report) { $0 },
    ]
  }

  /// Reads the arguments of the command line, without the program's own name.
  init(_ arguments: [String]) throws {
    self.init()
    try Self.known.read(arguments, into: &self) { options, path in
      if let file = options.file {
        throw CommandLineMistake("the program reads one file at a time. Name \(file) or \(path)")
      }
      options.file = path
    }
    let paths = [file, store?.path, snapshot, report].compactMap(\.self)
    for path in paths where paths.count(where: { $0 == path }) > 1 {
      throw CommandLineMistake(
        "the path \(path) cannot serve two purposes. Name another one for one of them")
    }
    if snapshot != nil, store?.reportsChanges != true {
      throw CommandLineMistake(
        "--snapshot needs a --store that is a database, because a database knows what has changed "
          + "since")
    }
  }
}

extension PageCursor<Person> {
  init?(text: String) {
    guard let json = try? JSONEncoder().encode(text),
      let cursor = try? JSONDecoder().decode(Self.self, from: json)
    else { return nil }
    self = cursor
  }

  var text: String {
    get throws { try JSONDecoder().decode(String.self, from: JSONEncoder().encode(self)) }
  }
}
