import Foundation
import Kinship

/// A condition on the fields of records.
///
/// There are two truth values and no third: a field that is missing is null, null is equal to
/// nothing and neither less nor greater than anything; `!=` is what `=` is not. So are values of
/// different kinds to each other, but for whole numbers and those with a fraction.
indirect enum Condition: Equatable {
  case compare(Path, Comparison, Literal)
  case isNull(Path)
  case and(Condition, Condition)
  case or(Condition, Condition)
  case not(Condition)

  /// The names on the way to a value, from the outermost on.
  typealias Path = [String]

  enum Comparison: String, CaseIterable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case startsWith = "starts with"
    case contains
  }

  enum Literal: Equatable {
    case text(String)
    case integer(Int128)
    case number(Double)
    case bool(Bool)
  }

  var paths: [Path] {
    switch self {
    case .compare(let path, _, _), .isNull(let path): [path]
    case .and(let left, let right), .or(let left, let right): left.paths + right.paths
    case .not(let condition): condition.paths
    }
  }

  func holds(for record: FieldValue) -> Bool {
    switch self {
    case .compare(let path, let comparison, let literal):
      Self.holds(record.value(at: path), comparison, literal)
    case .isNull(let path): record.value(at: path) == .null
    case .and(let left, let right): left.holds(for: record) && right.holds(for: record)
    case .or(let left, let right): left.holds(for: record) || right.holds(for: record)
    case .not(let condition): !condition.holds(for: record)
    }
  }

  private static func holds(
    _ value: FieldValue, _ comparison: Comparison, _ literal: Literal
  ) -> Bool {
    switch comparison {
    case .unequal: return !holds(value, .equal, literal)
    case .startsWith:
      guard case .text(let prefix) = literal, let text = value.comparableText else { return false }
      return text.hasPrefix(prefix)
    case .contains:
      if case .list(let list) = value { return list.contains { holds($0, .equal, literal) } }
      guard case .text(let part) = literal, let text = value.comparableText else { return false }
      // Foundation would say that the empty text is in none.
      return part.isEmpty || text.contains(part)
    case .equal: return value.order(to: literal) == 0
    case .less: return value.order(to: literal) == -1
    case .atMost: return value.order(to: literal).map { $0 <= 0 } ?? false
    case .greater: return value.order(to: literal) == 1
    case .atLeast: return value.order(to: literal).map { $0 >= 0 } ?? false
    }
  }
}

extension FieldValue {
  /// The value at the end of a path; null if there is none.
  func value(at path: [String]) -> FieldValue {
    var value = self
    for name in path { value = value.fields?[name] ?? .null }
    return value
  }

  fileprivate var comparableText: String? {
    switch self {
    case .text(let text): text
    case .uuid(let uuid): uuid.uuidString
    default: nil
    }
  }

  /// Whether the value is less (−1), equal (0) or greater (1); `nil` if they cannot be compared.
  fileprivate func order(to literal: Condition.Literal) -> Int? {
    func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int? {
      left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
    }
    switch (self, literal) {
    case (.integer(let left), .integer(let right)): return order(left, right)
    case (_, .text(let right)):
      // An identifier may be written in either case.
      if case .uuid(let uuid) = self { return order(uuid.uuidString, right.uppercased()) }
      return comparableText.flatMap { order($0, right) }
    case (_, .integer(let right)): return double.flatMap { order($0, Double(right)) }
    case (_, .number(let right)): return double.flatMap { order($0, right) }
    case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
    case (_, .bool): return nil
    }
  }
}
