/// Draws elements in proportion to their weights.
///
/// ```swift
/// let operations = WeightedChoice([(6, Kind.read), (3, .write), (1, .evict)])
/// let next = operations.draw(using: &generator)
/// ```
public struct WeightedChoice<Element> {
  private let elements: [Element]
  private let upperBounds: [Int]
  private let total: Int

  /// Creates a choice.
  ///
  /// - Parameter weighted: The elements with their weights. A weight of 0 is never drawn.
  /// - Precondition: No weight is negative, and one is above 0.
  public init(_ weighted: [(weight: Int, element: Element)]) {
    var total = 0
    upperBounds = weighted.map { weight, _ in
      precondition(weight >= 0, "a weight must not be negative")
      total += weight
      return total
    }
    precondition(total > 0, "one weight must be above 0")
    self.total = total
    elements = weighted.map(\.element)
  }

  /// Draws one element.
  ///
  /// - Parameter generator: The source of the choice.
  /// - Returns: One of the elements.
  /// - Complexity: O(log *n*) over the number of elements.
  public func draw(using generator: inout some RandomNumberGenerator) -> Element {
    let point = Int.random(in: 0..<total, using: &generator)
    return elements[upperBounds.firstIndexWhereSorted { $0 > point }]
  }
}

extension WeightedChoice: Sendable where Element: Sendable {}
