/// Where a value stands to another in an order.
@frozen
public enum Precedence: Hashable, Sendable {
  /// It comes before the other.
  case before
  /// Both have the same place.
  case same
  /// It comes after the other.
  case after

  /// Where the other stands.
  @inlinable public var reversed: Precedence {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }

  /// Where a value stands to another as they are compared with `<`, but that a number that is none
  /// is smaller than any other, and that texts are compared by their bytes: as every store can.
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

  /// A value of which it is known to be a text: a cast would take longer than to compare it.
  @inlinable
  static func text<Value>(_ value: Value) -> String {
    withUnsafePointer(to: value) {
      UnsafeRawPointer($0).assumingMemoryBound(to: String.self).pointee
    }
  }

  /// Where a text stands to another by their bytes, which is the order of Unicode's scalars.
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
