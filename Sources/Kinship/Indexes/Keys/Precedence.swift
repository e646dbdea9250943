/// The position of a value relative to another in an order.
@frozen
public enum Precedence: Hashable, Sendable {
  /// It is before the other.
  case before
  /// Both have the same position.
  case same
  /// It is after the other.
  case after

  /// The position of the other value relative to this one.
  @inlinable public var reversed: Precedence {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }

  /// Compares two values with `<`, except that NaN is smaller than any other number, and texts are
  /// compared by their bytes: as every store can.
  @inlinable
  init<Value: Comparable>(of left: Value, to right: Value) {
    if Value.self == String.self {
      self = Self.ofBytes(Self.text(left), Self.text(right))
    } else if left < right {
      self = .before
    } else if right < left {
      self = .after
    } else if left == right {
      self = .same
    } else {
      switch (left == left, right == right) {
      case (false, true): self = .before
      case (true, false): self = .after
      default: self = .same
      }
    }
  }

  /// Returns a value that is known to be a text: a cast would take longer than comparing it.
  @inlinable
  static func text<Value>(_ value: Value) -> String {
    withUnsafePointer(to: value) {
      UnsafeRawPointer($0).assumingMemoryBound(to: String.self).pointee
    }
  }

  /// Compares two texts by their bytes, which is the order of Unicode's scalars.
  @usableFromInline
  static func ofBytes(_ left: String, _ right: String) -> Precedence {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
          return left[index] < right[index] ? .before : .after
        }
        return Precedence(of: left.count, to: right.count)
      }
    }
  }
}
