/// Swift source without its comments and without the text of its strings.
///
/// Interpolations in a string are code and stay.
struct SwiftSource {
  let code: String
  /// The words of the code, without duplicates.
  private(set) var words: Set<String> = []
  /// The imported modules.
  private(set) var imports: Set<String> = []
  /// The types declared anywhere.
  private(set) var types: Set<String> = []
  /// The types declared outside of any other.
  private(set) var topLevelTypes: Set<String> = []
  /// The public ones of them.
  private(set) var publicTopLevelTypes: Set<String> = []
  /// The extended types.
  private(set) var extended: Set<String> = []

  init(_ text: String) {
    var scanner = Scanner(rest: text[...])
    scanner.skipCode(until: nil)
    code = scanner.code
    var depth = 0
    var previous = ""
    var isPublic = false
    for token in Self.tokens(of: code) {
      switch token {
      case "{": depth += 1
      case "}": depth -= 1
      default:
        words.insert(token)
        if previous == "import" { imports.insert(token) }
        if previous == "extension" { extended.insert(token) }
        if Self.declaring.contains(previous), token.first?.isUppercase == true {
          types.insert(token)
          if depth == 0 { topLevelTypes.insert(token) }
          if depth == 0, isPublic { publicTopLevelTypes.insert(token) }
        }
      }
      isPublic = token == "public" || isPublic && Self.modifiers.contains(token)
      previous = token
    }
  }

  private static let declaring: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
  /// The modifiers that may stand between `public` and the name of a type.
  private static let modifiers = declaring.union(["final", "indirect", "nonisolated"])

  /// Words and braces.
  private static func tokens(of code: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    for character in code {
      if character == "_" || character.isLetter || character.isNumber {
        word.append(character)
        continue
      }
      if !word.isEmpty { tokens.append(word) }
      word = ""
      if character == "{" || character == "}" { tokens.append(String(character)) }
    }
    return word.isEmpty ? tokens : tokens + [word]
  }
}

extension SwiftSource {
  private struct Scanner {
    var rest: Substring
    var code = ""

    /// Copies code up to and including a closing character, or to the end.
    mutating func skipCode(until end: Character?) {
      var depth = 0
      while let character = rest.first {
        if rest.hasPrefix("//") {
          rest = rest.drop { !$0.isNewline }
        } else if rest.hasPrefix("/*") {
          skipBlockComment()
        } else if character == "\"" || character == "#", let quote = takeQuote() {
          skipString(closing: quote)
        } else {
          rest.removeFirst()
          code.append(character)
          if character == "(" { depth += 1 }
          if character == end {
            if depth == 0 { return }
            depth -= 1
          }
        }
      }
    }

    /// Drops a comment, including nested ones.
    private mutating func skipBlockComment() {
      var depth = 0
      repeat {
        if rest.hasPrefix("/*") {
          depth += 1
          rest.removeFirst(2)
        } else if rest.hasPrefix("*/") {
          depth -= 1
          rest.removeFirst(2)
        } else {
          rest.removeFirst()
        }
      } while depth > 0 && !rest.isEmpty
      code.append(" ")
    }

    /// Consumes the opening of a string, and returns its quote and the hashes of its escapes.
    private mutating func takeQuote() -> (quote: String, hashes: String)? {
      let hashes = rest.prefix { $0 == "#" }
      let afterHashes = rest.dropFirst(hashes.count)
      guard afterHashes.hasPrefix("\"") else { return nil }
      let quote = afterHashes.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
      rest = afterHashes.dropFirst(quote.count)
      return (quote, String(hashes))
    }

    /// Drops the text of a string, but not its interpolations.
    private mutating func skipString(closing: (quote: String, hashes: String)) {
      let escape = "\\" + closing.hashes
      code.append("\"")
      while !rest.isEmpty, !rest.hasPrefix(closing.quote + closing.hashes) {
        if rest.hasPrefix(escape + "(") {
          rest = rest.dropFirst(escape.count + 1)
          code.append("(")
          skipCode(until: ")")
        } else if rest.hasPrefix(escape) {
          rest = rest.dropFirst(escape.count + 1)
        } else {
          rest.removeFirst()
        }
      }
      rest = rest.dropFirst(closing.quote.count + closing.hashes.count)
      code.append("\"")
    }
  }
}
