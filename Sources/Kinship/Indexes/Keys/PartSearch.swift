/// The search for one of the values by which an index finds records.
@usableFromInline
enum PartSearch: Sendable {
  /// The bound of a range.
  @usableFromInline
  struct Bound: Sendable {
    @usableFromInline let value: (any Sendable)?
    /// Whether the value is in the range.
    @usableFromInline let isIncluded: Bool

    init(value: (any Sendable)?, isIncluded: Bool) {
      (self.value, self.isIncluded) = (value, isIncluded)
    }
  }

  /// A value, or `nil`.
  case equal((any Sendable)?)
  /// Values within bounds.
  case range(from: Bound?, to: Bound?)
  /// Texts that begin with another, by their bytes.
  case prefix(String)

  /// Whether the search is for one value.
  var isEqual: Bool { if case .equal = self { true } else { false } }

  /// The value that is searched for, if it is a single one.
  var value: (any Sendable)? { if case .equal(let value) = self { value } else { nil } }

  /// Returns the position of a value relative to the searched ones: `.same` if it may be one of
  /// them.
  @inlinable
  func precedence<Value: IndexedValue>(of value: Value) -> Precedence {
    switch self {
    case .equal(let wanted):
      return Self.precedence(of: value, to: wanted)
    case .range(let lower, let upper):
      if let lower {
        switch Self.precedence(of: value, to: lower.value) {
        case .before: return .before
        case .same where !lower.isIncluded: return .before
        default: break
        }
      }
      if let upper {
        switch Self.precedence(of: value, to: upper.value) {
        case .after: return .after
        case .same where !upper.isIncluded: return .after
        default: break
        }
      }
      return .same
    case .prefix(let prefix):
      guard let text = Self.text(value) else { return .before }
      let start = text.utf8.prefix(prefix.utf8.count)
      return start.elementsEqual(prefix.utf8) ? .same : .ofBytes(text, prefix)
    }
  }

  @inlinable
  static func precedence<Value: IndexedValue>(
    of value: Value, to other: (any Sendable)?
  ) -> Precedence {
    if let other = Self.value(other, as: Value.self) {
      return Value.precedence(of: value, to: other)
    }
    // A value that cannot be `nil` is after it. The other cannot be of another type, because it is
    // from a filter of the property.
    return other == nil ? .after : .same
  }

  /// Returns the searched value as a value of a property's type, which may be optional.
  @inlinable
  static func value<Value>(_ value: (any Sendable)?, as type: Value.Type) -> Value? {
    if let value { return value as? Value }
    return Optional<any Sendable>.none as? Value
  }

  @inlinable
  static func text<Value>(_ value: Value) -> String? {
    Value.self == String?.self ? value as? String? ?? nil : value as? String
  }
}
