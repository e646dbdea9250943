/// One property to sort records by, and the direction.
public struct SortTerm<R: Record>: Sendable {
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

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value> & Sendable, _ direction: Direction
  ) {
    property = keyPath
    self.direction = direction
    compare = { first, second in
      let (left, right) = (first[keyPath: keyPath], second[keyPath: keyPath])
      return (left < right, right < left)
    }
  }

  init<Value: Comparable & Sendable>(
    _ keyPath: any KeyPath<R, Value?> & Sendable, _ direction: Direction
  ) {
    property = keyPath
    self.direction = direction
    compare = { first, second in
      switch (first[keyPath: keyPath], second[keyPath: keyPath]) {
      case (let left?, let right?): (left < right, right < left)
      case (nil, nil): (false, false)
      case (nil, _): (true, false)
      case (_, nil): (false, true)
      }
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
    let (isLess, isGreater) = compare(first, second)
    if isLess == isGreater { return nil }
    return isLess == (direction == .ascending)
  }
}
