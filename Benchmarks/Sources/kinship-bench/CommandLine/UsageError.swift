/// An invalid command line, with the reason.
enum UsageError: Error, CustomStringConvertible {
  case missingSubcommand
  case unknown(String, kind: String, known: [String])
  case missingValue(option: String)
  case invalidRounds(String)
  case invalidSize(String)

  var description: String {
    switch self {
    case .missingSubcommand: "The first argument must be a subcommand."
    case .unknown(let name, let kind, let known):
      known.nearest(to: name).map { "There is no \(kind) “\(name)”. Did you mean \($0)?" }
        ?? "There is no \(kind) “\(name)”. Choose one of \(known.joined(separator: ", "))."
    case .missingValue(let option): "\(option) needs a value."
    case .invalidRounds(let value):
      "--rounds takes a whole number from 1 to 1000, not “\(value)”."
    case .invalidSize(let value): "--largest takes a whole number from 1 on, not “\(value)”."
    }
  }
}

extension [String] {
  /// The name that differs least from a misspelt one: in about a third of its letters, or because
  /// it continues it.
  func nearest(to text: String) -> String? {
    map { name in (name, name.hasPrefix(text) ? 0 : text.distance(to: name)) }
      .filter { $0.1 <= (text.count + 1) / 3 }.min { $0.1 < $1.1 }?.0
  }
}

extension String {
  /// The number of letters to insert, delete or replace.
  fileprivate func distance(to other: String) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, otherLetter) in other.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
