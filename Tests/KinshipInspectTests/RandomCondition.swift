import KinshipTestSupport

@testable import kinship_inspect

extension Condition {
  static let names = ["id", "name", "born", "or", "a b", "parts"]

  /// Any condition, a few levels deep.
  static func random(depth: Int = 4, using generator: inout SplitMix64) -> Condition {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 2), using: &generator) {
    case 0: return .isNull(path(using: &generator))
    case 2:
      return .and(
        random(depth: depth - 1, using: &generator), random(depth: depth - 1, using: &generator))
    case 3:
      return .or(
        random(depth: depth - 1, using: &generator), random(depth: depth - 1, using: &generator))
    case 4: return .not(random(depth: depth - 1, using: &generator))
    default:
      let comparison = Comparison.allCases.randomElement(using: &generator) ?? .equal
      let literal =
        comparison == .startsWith
        ? .text("V\"\\\n") : Literal.random(using: &generator)
      return .compare(path(using: &generator), comparison, literal)
    }
  }

  private static func path(using generator: inout SplitMix64) -> Path {
    (0..<Int.random(in: 1...2, using: &generator)).map { _ in
      names.randomElement(using: &generator) ?? "id"
    }
  }

  /// The condition as a text, with no more parentheses than it needs.
  var text: String {
    switch self {
    case .compare(let path, let comparison, let literal):
      "\(Self.text(path)) \(comparison.rawValue) \(literal.text)"
    case .isNull(let path): "\(Self.text(path)) is null"
    case .and(let left, let right):
      "\(left.inAnd(isRight: false)) and \(right.inAnd(isRight: true))"
    case .or(let left, let right): "\(left.text) or \(right.inOr)"
    case .not(.isNull(let path)): "\(Self.text(path)) is not null"
    case .not(let condition): "not \(condition.inAnd(isRight: true))"
    }
  }

  private func inAnd(isRight: Bool) -> String {
    switch self {
    case .or: "(\(text))"
    case .and where isRight: "(\(text))"
    default: text
    }
  }

  private var inOr: String {
    if case .or = self { "(\(text))" } else { text }
  }

  private static func text(_ path: Path) -> String {
    path.map { ["or", "a b"].contains($0) ? "`\($0)`" : $0 }.joined(separator: ".")
  }
}

extension Condition.Literal {
  static func random(using generator: inout SplitMix64) -> Condition.Literal {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .integer(Int128(Int.random(in: -3...3, using: &generator)))
    case 1: .number(Double(Int.random(in: -3...3, using: &generator)) + 0.5)
    case 2: .bool(generator.chance(0.5))
    default: .text(["", "V", "Victoria", "é \"x\""].randomElement(using: &generator) ?? "")
    }
  }

  var text: String {
    switch self {
    case .integer(let integer): "\(integer)"
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .text(let text):
      "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
  }
}
