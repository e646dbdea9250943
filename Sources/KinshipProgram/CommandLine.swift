package struct CommandLineMistake: Error, Equatable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// An option of a command line, and its effect on the options of a program.
///
/// Its value follows an equals sign, or is the next argument.
package struct CommandOption<Options> {
  let name: String
  /// The name of its value in the help; `nil` if it takes none.
  let value: String?
  let set: (inout Options, String) throws -> Void

  package init(_ name: String, _ property: WritableKeyPath<Options, Bool>) {
    (self.name, value) = (name, nil)
    set = { options, _ in options[keyPath: property] = true }
  }

  /// An option whose value is parsed by a closure.
  package init(
    _ name: String, _ value: String, set: @escaping (inout Options, String) throws -> Void
  ) {
    (self.name, self.value, self.set) = (name, value, set)
  }

  /// An option whose value is parsed and stored in a property.
  package init<Value>(
    _ name: String, _ value: String, _ property: WritableKeyPath<Options, Value?>,
    _ parse: @escaping (String) -> Value?
  ) {
    self.init(name, value, parse) { $0[keyPath: property] = $1 }
  }

  /// An option whose value is parsed and replaces that of a property.
  package init<Value>(
    _ name: String, _ value: String, replacing property: WritableKeyPath<Options, Value>,
    _ parse: @escaping (String) -> Value?
  ) {
    self.init(name, value, parse) { $0[keyPath: property] = $1 }
  }

  /// An option that may be repeated, whose parsed values are collected in a property.
  package init<Value>(
    _ name: String, _ value: String, addingTo property: WritableKeyPath<Options, [Value]>,
    _ parse: @escaping (String) -> Value?
  ) {
    self.init(name, value, parse) { $0[keyPath: property].append($1) }
  }

  private init<Value>(
    _ name: String, _ value: String, _ parse: @escaping (String) -> Value?,
    _ store: @escaping (inout Options, Value) -> Void
  ) {
    self.init(name, value) { options, text in
      guard let parsed = parse(text) else {
        throw CommandLineMistake("\(name) takes \(value), not \(text.quoted)")
      }
      store(&options, parsed)
    }
  }
}

extension Array {
  /// Reads the arguments that follow the program's own name, and returns the names of the options.
  ///
  /// `operand` is called for each argument that is no option.
  @discardableResult
  package func read<Options>(
    _ arguments: [String], into options: inout Options,
    operand: (inout Options, String) throws -> Void
  ) throws -> [String] where Element == CommandOption<Options> {
    var rest = arguments[...]
    var optionsEnd = false
    var given: [String] = []
    while let argument = rest.popFirst() {
      if optionsEnd || !argument.hasPrefix("-") {
        try operand(&options, argument)
        continue
      }
      if argument == "--" {
        optionsEnd = true
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      var text = parts.count > 1 ? String(parts[1]) : nil
      guard let option = first(where: { $0.name == name }) else { throw unknown(name) }
      if let value = option.value {
        if text == nil, let next = rest.first, !next.hasPrefix("--") { text = rest.removeFirst() }
        guard let text else { throw CommandLineMistake("\(name) needs \(value)") }
        try option.set(&options, text)
      } else {
        if text != nil { throw CommandLineMistake("\(name) takes no value") }
        try option.set(&options, "")
      }
      given.append(name)
    }
    return given
  }

  private func unknown<Options>(_ name: String) -> CommandLineMistake
  where Element == CommandOption<Options> {
    CommandLineMistake("there is no option \(name.quoted)\(map(\.name).suggestion(for: name))")
  }
}

extension Collection<String> {
  /// The question whether a misspelt name means one of these, to end a message; empty if none is
  /// similar.
  package func suggestion(for name: String) -> String {
    nearest(to: name).map { ". Did you mean \($0.readable)?" } ?? ""
  }

  /// The text that differs least from another one: in about a third of its letters, or only
  /// because one of them continues the other.
  package func nearest(to text: String) -> String? {
    let word = text.letters
    let candidates = compactMap { name -> (name: String, distance: Int)? in
      let letters = name.letters
      let distance = word.distance(to: letters)
      let continues = word.count > 1 && letters.starts(with: word)
      return distance <= (word.count + 1) / 3 || continues ? (name, distance) : nil
    }
    return candidates.min { $0.distance < $1.distance }?.name
  }
}

extension String {
  /// The letters in which names differ: dashes before an option and capitals do not count.
  fileprivate var letters: [Character] { Array(lowercased().drop { $0 == "-" }) }
}

extension [Character] {
  /// The number of letters to insert, delete or replace, or of neighbours to exchange.
  fileprivate func distance(to other: [Character]) -> Int {
    var rows = [Array<Int>(0...other.count)]
    for (i, letter) in enumerated() {
      var row = [i + 1]
      for (j, otherLetter) in other.enumerated() {
        let replaced = rows[i][j] + (letter == otherLetter ? 0 : 1)
        row.append(Swift.min(replaced, rows[i][j + 1] + 1, row[j] + 1))
        if i > 0, j > 0, letter == other[j - 1], self[i - 1] == otherLetter {
          row[j + 1] = Swift.min(row[j + 1], rows[i - 1][j - 1] + 1)
        }
      }
      rows.append(row)
    }
    return rows[count][other.count]
  }
}
