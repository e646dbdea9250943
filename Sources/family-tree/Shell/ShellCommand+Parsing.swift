extension ShellCommand {
  /// Reads a line; nil if it is empty or a remark, which begins with `#`.
  init?(_ line: String) throws(ShellMistake) {
    var words = try Self.words(of: line)
    guard let name = words.first, !name.hasPrefix("#") else { return nil }
    words.removeFirst()
    guard let usage = Self.usages[name] else {
      throw .unknownCommand(name, near: Self.command(near: name))
    }
    try self.init(name, words[...], usage: usage)
  }

  private init(
    _ name: String, _ words: ArraySlice<String>, usage: String
  ) throws(ShellMistake) {
    var rest = words
    func all() throws(ShellMistake) -> String {
      if rest.isEmpty { throw .incomplete(usage: usage) }
      return rest.joined(separator: " ")
    }

    switch name {
    case "watch" where rest.first == "where":
      self = .watchAnswer(try PersonQuestion(words: rest.dropFirst(), usage: usage))
    case "show", "watch":
      let generations = rest.count > 1 ? rest.last.flatMap(Options.generations) : nil
      if generations != nil { rest.removeLast() }
      let subject = try all()
      self =
        name == "show"
        ? .show(subject, generations: generations) : .watch(subject, generations: generations)
    case "unwatch": self = .unwatch(rest.isEmpty ? nil : try all())
    case "wait":
      let text = try all()
      guard let seconds = Int(text), (1...86_400).contains(seconds) else {
        throw .noQuestion(text, usage: "a number of seconds from 1 to 86,400")
      }
      self = .wait(seconds)
    case "find": self = .find(try all())
    case "preview": self = .preview(try all())
    case "delete": self = .delete(try all())
    case "rename":
      guard let subject = rest.popFirst() else { throw .incomplete(usage: usage) }
      self = .rename(subject, to: try all())
    case "add-child":
      guard let parent = rest.popFirst() else { throw .incomplete(usage: usage) }
      let sex = rest.count > 1 ? rest.last.flatMap(Sex.init(rawValue:)) : nil
      if sex != nil { rest.removeLast() }
      self = .addChild(of: parent, name: try all(), sex: sex ?? .unknown)
    default:
      if !rest.isEmpty { throw .tooMuch(usage: usage) }
      switch name {
      case "undo": self = .undo
      case "redo": self = .redo
      case "changes": self = .changes
      case "help": self = .help
      default: self = .quit
      }
    }
  }

  /// The words of a line; quotation marks keep several together.
  private static func words(of line: String) throws(ShellMistake) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character.isWhitespace, !isQuoted {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    // A remark may hold what it likes.
    if isQuoted, words.first?.hasPrefix("#") != true { throw .openQuote }
    return words
  }

  private static func command(near name: String) -> String? {
    usages.keys.sorted().first { $0.hasPrefix(name) || name.hasPrefix($0) }
  }
}
