/// An optional whose type is known only at run time.
///
/// Ask the type, not the value: a cast of a value looks into optionals.
protocol ErasedOptional {
  static var wrappedType: Any.Type { get }

  /// Returns whether a value of the type is `nil`.
  static func isNil(_ value: Any) -> Bool
}

extension Optional: ErasedOptional {
  static var wrappedType: Any.Type { Wrapped.self }

  static func isNil(_ value: Any) -> Bool {
    guard let optional = value as? Wrapped? else { return false }
    if case .none = optional { return true }
    return false
  }
}
