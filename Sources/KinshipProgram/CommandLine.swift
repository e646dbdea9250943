/// A mistake in the arguments of a program.
package struct CommandLineMistake: Error {
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

  /// An option without a value.
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
    self.init(name, value) { options, text in
      guard let parsed = parse(text) else {
        throw CommandLineMistake("\(name) takes \(value), not \(text.quoted)")
      }
      options[keyPath: property] = parsed
    }
  }
}

extension Array {
  /// Reads the arguments of a command line.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the program's own name.
  ///   - options: The options to set.
  ///   - operand: Called for each argument that is no option.
  /// - Returns: The names of the options that were given.
  /// - Throws: `CommandLineMistake`, and the errors of the closures.
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
    let near = map(\.name).first { $0.hasPrefix(name) && name.count > 3 || name.hasPrefix($0) }
    let hint = near.map { ". Did you mean \($0)?" } ?? ""
    return CommandLineMistake("there is no option \(name.quoted)\(hint)")
  }
}
