/// Comparison of values whose type may or may not be `Equatable`.
@usableFromInline
enum Values {
  /// Whether two values are equal, as far as their type can tell.
  @usableFromInline
  static func mayBeEqual(_ left: some Sendable, _ right: some Sendable) -> Bool {
    guard let left = left as? any Equatable else { return true }
    return isEqual(left, right)
  }

  private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    right as? Value == left
  }
}
