extension Condition {
  /// Reads a condition.
  ///
  /// ```text
  /// condition  = conjunction { "or" conjunction }
  /// conjunction = negation { "and" negation }
  /// negation   = "not" negation | "(" condition ")" | comparison
  /// comparison = path ( operator value | "starts" "with" value | "contains" value
  ///                   | "is" [ "not" ] "null" )
  /// path       = name { "." name }
  /// operator   = "=" | "!=" | "<" | "<=" | ">" | ">="
  /// value      = text | number | "true" | "false"
  /// ```
  init(_ text: String) throws(ConditionError) {
    var parser = try ConditionParser(text)
    self = try parser.condition()
  }
}

private struct ConditionParser {
  private var lexer: ConditionLexer
  private let tokens: [ConditionToken]
  private var place = 0
  private var depth = 0

  private static let depthLimit = 100

  init(_ text: String) throws(ConditionError) {
    lexer = ConditionLexer(text)
    tokens = try lexer.tokens()
  }

  mutating func condition() throws(ConditionError) -> Condition {
    let condition = try disjunction()
    if next.kind != .end {
      throw lexer.error("there should be and, or, or the end", at: next.column)
    }
    return condition
  }

  private var next: ConditionToken { tokens[place] }

  /// Skips a word of the language, if it is the next one.
  private mutating func consume(_ word: String) -> Bool {
    guard next.kind == .name(word) || next.kind == .symbol(word) else { return false }
    place += 1
    return true
  }

  private mutating func need(_ word: String, _ message: String) throws(ConditionError) {
    let column = next.column
    if !consume(word) { throw lexer.error(message, at: column) }
  }

  private mutating func disjunction() throws(ConditionError) -> Condition {
    var condition = try conjunction()
    while consume("or") { condition = .or(condition, try conjunction()) }
    return condition
  }

  private mutating func conjunction() throws(ConditionError) -> Condition {
    var condition = try negation()
    while consume("and") { condition = .and(condition, try negation()) }
    return condition
  }

  private mutating func negation() throws(ConditionError) -> Condition {
    let column = next.column
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw lexer.error("this lies more than \(Self.depthLimit) deep", at: column)
    }
    if consume("not") { return .not(try negation()) }
    guard consume("(") else { return try comparison() }
    let condition = try disjunction()
    try need(")", "there should be a )")
    return condition
  }

  private mutating func comparison() throws(ConditionError) -> Condition {
    let path = try path()
    let column = next.column
    if consume("is") {
      let isNegated = consume("not")
      try need("null", "there should be null")
      return isNegated ? .not(.isNull(path)) : .isNull(path)
    }
    if consume("starts") {
      try need("with", "there should be with")
      let column = next.column
      let value = try value()
      guard case .text = value else {
        throw lexer.error("there should be a text between quotes", at: column)
      }
      return .compare(path, .startsWith, value)
    }
    if consume("contains") { return .compare(path, .contains, try value()) }
    guard case .symbol(let symbol) = next.kind,
      let comparison = Condition.Comparison(rawValue: symbol)
    else {
      throw lexer.error(
        "there should be =, !=, <, <=, >, >=, starts with, contains or is null", at: column)
    }
    place += 1
    return .compare(path, comparison, try value())
  }

  private mutating func path() throws(ConditionError) -> Condition.Path {
    var path = [try name()]
    while consume(".") { path.append(try name()) }
    return path
  }

  private static let words: Set = ["and", "or", "not", "is", "null", "true", "false"]

  private mutating func name() throws(ConditionError) -> String {
    let token = next
    switch token.kind {
    case .quotedName(let name),
      .name(let name) where !Self.words.contains(name):
      place += 1
      return name
    default: throw lexer.error("there should be the name of a property", at: token.column)
    }
  }

  private mutating func value() throws(ConditionError) -> Condition.Literal {
    let token = next
    place += 1
    switch token.kind {
    case .literal(let literal): return literal
    case .name("true"): return .bool(true)
    case .name("false"): return .bool(false)
    case .name("null"):
      throw lexer.error("null is asked for by is null", at: token.column)
    default:
      throw lexer.error(
        "there should be a number, true, false, or a text between quotes", at: token.column)
    }
  }
}
