/// Comparison of values whose type may or may not be `Equatable`.
@usableFromInline
enum Values {
  /// Whether two values are equal; `nil` if their type cannot tell.
  static func areEqual(_ left: some Sendable, _ right: some Sendable) -> Bool? {
    (left as? any Equatable).map { isEqual($0, right) }
  }

  /// Whether two values are equal, as far as their type can tell.
  @usableFromInline
  static func mayBeEqual(_ left: some Sendable, _ right: some Sendable) -> Bool {
    areEqual(left, right) ?? true
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    right as? Value == left
  }
}
