/// A word of a condition, and the column where it begins, counted from 1.
struct ConditionToken: Equatable {
  enum Kind: Equatable {
    case name(String)
    /// A name between backquotes, which is never taken for a word of the language.
    case quotedName(String)
    case literal(Condition.Literal)
    case symbol(String)
    case end
  }

  let kind: Kind
  let column: Int
}

struct ConditionError: Error, Equatable {
  let message: String
  let column: Int
  let text: String

  /// The text on one line, each character in its column.
  var shownText: String {
    String(
      text.map {
        $0.isNewline || $0 == "\t" || $0.asciiValue.map { $0 < 32 } == true
          ? " " : $0
      })
  }
}

struct ConditionLexer {
  private let text: String
  private let characters: [Character]
  private var place = 0

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  func error(_ message: String, at column: Int) -> ConditionError {
    ConditionError(message: message, column: column, text: text)
  }

  /// All words, with the end as the last one.
  mutating func tokens() throws(ConditionError) -> [ConditionToken] {
    var tokens: [ConditionToken] = []
    while true {
      while place < characters.count, characters[place].isWhitespace { place += 1 }
      let column = place + 1
      guard place < characters.count else {
        return tokens + [ConditionToken(kind: .end, column: column)]
      }
      tokens.append(ConditionToken(kind: try next(column), column: column))
    }
  }

  private mutating func next(_ column: Int) throws(ConditionError) -> ConditionToken.Kind {
    let character = characters[place]
    let following = place + 1 < characters.count ? characters[place + 1] : " "
    if character == "\"" { return .literal(.text(try quoted("\"", "the text", column))) }
    if character == "`" { return .quotedName(try quoted("`", "the name", column)) }
    if character.isLetter || character == "_" {
      return .name(consume { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    if character.isDigit || character == "-" && following.isDigit { return try number(column) }
    for symbol in ["<=", ">=", "!=", "=", "<", ">", "(", ")", "."]
    where characters[place...].starts(with: symbol) {
      place += symbol.count
      return .symbol(symbol)
    }
    throw error("a condition has no “\(character)”", at: column)
  }

  private mutating func consume(while isPart: (Character) -> Bool) -> String {
    let start = place
    while place < characters.count, isPart(characters[place]) { place += 1 }
    return String(characters[start..<place])
  }

  private mutating func number(_ column: Int) throws(ConditionError) -> ConditionToken.Kind {
    var last: Character = " "
    let digits = consume { character in
      defer { last = character }
      return character.isDigit || character.isLetter || character == "."
        || (character == "-" || character == "+") && [" ", "e", "E"].contains(last)
    }
    if let integer = Int128(digits) { return .literal(.integer(integer)) }
    if let number = Double(digits), number.isFinite { return .literal(.number(number)) }
    throw error("“\(digits)” is no number", at: column)
  }

  /// The text between two marks; a backslash takes the next character as it is, `n` and `t`
  /// as a line feed and a tab.
  private mutating func quoted(
    _ mark: Character, _ what: String, _ column: Int
  ) throws(ConditionError) -> String {
    place += 1
    var content = ""
    while place < characters.count {
      let character = characters[place]
      place += 1
      if character == mark { return content }
      guard character == "\\", place < characters.count else {
        content.append(character)
        continue
      }
      switch characters[place] {
      case "n": content.append("\n")
      case "t": content.append("\t")
      case let other: content.append(other)
      }
      place += 1
    }
    throw error("\(what) that begins here has no end", at: column)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
