/// RecordComparison of values whose type may or may not be `Equatable`.
@usableFromInline
package enum Values {
  /// Returns whether two values are equal; `nil` if their type is not `Equatable`.
  @inlinable
  package static func areEqual(_ left: some Sendable, _ right: some Sendable) -> Bool? {
    (left as? any Equatable).map { isEqual($0, right) }
  }

  /// Returns whether two values are equal; `true` if their type cannot decide.
  @usableFromInline
  static func mayBeEqual(_ left: some Sendable, _ right: some Sendable) -> Bool {
    areEqual(left, right) ?? true
  }

  @inlinable
  static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    right as? Value == left
  }

  /// Returns a value as a message shows it: of an optional, the value that it holds.
  static func text(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { text(of: $0.value) } ?? "nil"
  }

  /// Returns whether two values, or all their parts, are certainly equal.
  static func areSame(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, right) }
    let parts = (Mirror(reflecting: left).children, Mirror(reflecting: right).children)
    return parts.0.count == parts.1.count && !parts.0.isEmpty
      && zip(parts.0, parts.1).allSatisfy { $0.label == $1.label && areSame($0.value, $1.value) }
  }
}
