/// The search for one of the values by which an index finds records.
@usableFromInline
enum PartSearch: Sendable {
  /// The bound of a range.
  @usableFromInline
  struct Bound: Sendable {
    @usableFromInline let value: (any Sendable)?
    /// Whether the value is in the range.
    @usableFromInline let isIncluded: Bool
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

  /// Returns the searched value as a value of a property's type, which may be optional.
  @inlinable
  static func value<Value>(_ value: (any Sendable)?, as type: Value.Type) -> Value? {
    if let value { return value as? Value }
    return Optional<any Sendable>.none as? Value
  }
}

/// The search for a value whose type is known.
///
/// It is made once for many comparisons: see `kinship-bench views --only live-count`.
@usableFromInline
enum ValueSearch<Value: IndexedValue>: Sendable {
  @usableFromInline
  struct Bound: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let isIncluded: Bool

    /// Creates a bound; `nil` if all values are after it, as those that cannot be `nil` are after
    /// that.
    @inlinable
    init?(_ bound: PartSearch.Bound?) {
      guard let bound, let value = PartSearch.value(bound.value, as: Value.self) else { return nil }
      (self.value, isIncluded) = (value, bound.isIncluded)
    }
  }

  case anything
  case nothing
  case equal(Value)
  case range(from: Bound?, to: Bound?)
  case prefix(String)

  // A value cannot be of another type, because it is from a filter of the property.
  @inlinable
  init(_ search: PartSearch?) {
    switch search {
    case nil: self = .anything
    case .equal(let wanted):
      self = PartSearch.value(wanted, as: Value.self).map { .equal($0) } ?? .nothing
    case .range(let lower, let upper):
      let end = Bound(upper)
      self = end == nil && upper != nil ? .nothing : .range(from: Bound(lower), to: end)
    case .prefix(let prefix): self = .prefix(prefix)
    }
  }

  /// Returns the position of a value relative to the searched ones: `.same` if it may be one of
  /// them.
  @inlinable
  func precedence(of value: Value) -> Precedence {
    switch self {
    case .anything: return .same
    case .nothing: return .after
    case .equal(let wanted): return Value.precedence(of: value, to: wanted)
    case .range(let lower, let upper):
      if let lower {
        switch Value.precedence(of: value, to: lower.value) {
        case .before: return .before
        case .same where !lower.isIncluded: return .before
        default: break
        }
      }
      if let upper {
        switch Value.precedence(of: value, to: upper.value) {
        case .after: return .after
        case .same where !upper.isIncluded: return .after
        default: break
        }
      }
      return .same
    case .prefix(let prefix):
      let isOptional = Value.self == String?.self
      guard let text = isOptional ? value as? String? ?? nil : value as? String else {
        return .before
      }
      let start = text.utf8.prefix(prefix.utf8.count)
      return start.elementsEqual(prefix.utf8) ? .same : .ofBytes(text, prefix)
    }
  }
}
