/// One property to sort records by, and the direction.
public struct SortTerm<R: GraphRecord>: Sendable {
  /// Which values come first.
  public enum Direction: Hashable, Sendable {
    /// Small values come first, and none before any.
    case ascending
    /// Large values come first, and none after all.
    case descending
  }

  /// The property.
  public let property: any PartialKeyPath<R> & Sendable
  /// Which values come first.
  public let direction: Direction
  /// Whether the first record's value is smaller, and whether the second's is.
  private let compare: @Sendable (R, R) -> (isLess: Bool, isGreater: Bool)
  /// What a record is sorted by: a `SortKey` of the property's type.
  let key: @Sendable (R) -> any Sendable
  /// Whether the first key is smaller, and whether the second is.
  private let compareKeys: @Sendable (any Sendable, any Sendable) -> (isLess: Bool, isGreater: Bool)

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value> & Sendable, _ direction: Direction
  ) {
    property = keyPath
    self.direction = direction
    let value = PropertyReader(keyPath)
    compare = { first, second in Self.order(value(first), value(second)) }
    key = { SortKey(value: value($0)) }
    compareKeys = { first, second in
      guard let first = first as? SortKey<Value>, let second = second as? SortKey<Value> else {
        return (false, false)
      }
      return Self.order(first.value, second.value)
    }
  }

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value?> & Sendable, _ direction: Direction
  ) {
    property = keyPath
    self.direction = direction
    let value = PropertyReader(keyPath)
    compare = { first, second in Self.order(value(first), value(second)) }
    key = { SortKey(value: value($0)) }
    compareKeys = { first, second in
      guard let first = first as? SortKey<Value?>, let second = second as? SortKey<Value?> else {
        return (false, false)
      }
      return Self.order(first.value, second.value)
    }
  }

  private static func order<Value: Comparable>(
    _ left: Value, _ right: Value
  ) -> (isLess: Bool, isGreater: Bool) {
    if left < right { return (true, false) }
    if right < left { return (false, true) }
    if left == right { return (false, false) }
    // A value that is not equal to itself, a number that is none, counts as smaller than any.
    return (left != left && right == right, left == left && right != right)
  }

  private static func order<Value: Comparable>(
    _ left: Value?, _ right: Value?
  ) -> (isLess: Bool, isGreater: Bool) {
    switch (left, right) {
    case (let left?, let right?): order(left, right)
    case (nil, nil): (false, false)
    case (nil, _): (true, false)
    case (_, nil): (false, true)
    }
  }

  /// The property's name, as it is declared.
  ///
  /// - Complexity: It is found by reflection, which takes microseconds.
  public var name: String { PropertyName.of(property) }

  /// Whether a record comes before another by this term alone, or after it; `nil` if neither does.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  /// - Returns: Whether the first comes before the second, or `nil`.
  func isBefore(_ first: R, _ second: R) -> Bool? {
    isBefore(compare(first, second))
  }

  /// Whether the record of a key comes before that of another by this term alone, or after it;
  /// `nil` if neither does.
  ///
  /// - Parameters:
  ///   - first: A key that ``key`` has given.
  ///   - second: Another key.
  /// - Returns: Whether the first comes before the second, or `nil`.
  func isBefore(key first: any Sendable, _ second: any Sendable) -> Bool? {
    isBefore(compareKeys(first, second))
  }

  private func isBefore(_ order: (isLess: Bool, isGreater: Bool)) -> Bool? {
    if order.isLess == order.isGreater { return nil }
    return order.isLess == (direction == .ascending)
  }
}

/// What a record is sorted by, in indexes that keep it without the record.
private struct SortKey<Value: Sendable>: Sendable {
  let value: Value
}
