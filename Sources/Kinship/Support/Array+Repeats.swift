extension Array where Element: Hashable {
  /// The position of the first element that is a duplicate of an earlier one; `nil` if there is
  /// none.
  ///
  /// Integers and texts, the types of most ids, are compared by code that is specialised for them.
  ///
  /// - Complexity: O(*n*) on average; integers that ascend, as databases read them, or are close to
  ///   each other, as databases number rows, are not hashed.
  package var firstRepeat: Int? {
    if let integers = asArray(of: Int.self) {
      if integers.isAscending { return nil }
      guard let bounds = integers.closeBounds else { return integers.findRepeat() }
      return integers.findRepeat(within: bounds)
    }
    if let texts = asArray(of: String.self) { return texts.findRepeat() }
    return findRepeat()
  }

  /// The elements without duplicates, in the order of their first occurrences.
  ///
  /// - Complexity: O(*n*) on average.
  var withoutRepeats: [Element] { Self.withoutRepeats(self) }

  @_specialize(where Element == Int)
  @_specialize(where Element == String)
  private static func withoutRepeats(_ elements: [Element]) -> [Element] {
    var seen = Set<Element>(minimumCapacity: elements.count)
    return elements.filter { seen.insert($0).inserted }
  }

  private func findRepeat() -> Int? {
    var seen = Set<Element>(minimumCapacity: count)
    return firstIndex { !seen.insert($0).inserted }
  }
}

extension [Int] {
  /// Whether each element is greater than the one before.
  fileprivate var isAscending: Bool {
    indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
  }

  /// The bounds of the elements, if one bit for each value between them takes no more room than
  /// they do.
  fileprivate var closeBounds: ClosedRange<Int>? {
    guard let least = self.min(), let greatest = self.max() else { return nil }
    let (span, isTooWide) = greatest.subtractingReportingOverflow(least)
    return isTooWide || span / Int.bitWidth >= count ? nil : least...greatest
  }

  fileprivate func findRepeat(within bounds: ClosedRange<Int>) -> Int? {
    var seen = [UInt](
      repeating: 0, count: (bounds.upperBound - bounds.lowerBound) / UInt.bitWidth + 1)
    return firstIndex { element in
      let place = element - bounds.lowerBound
      let bit = UInt(1) << (place % UInt.bitWidth)
      defer { seen[place / UInt.bitWidth] |= bit }
      return seen[place / UInt.bitWidth] & bit != 0
    }
  }
}

extension Array {
  /// The array itself, if its elements are of a type.
  ///
  /// A cast from one array to another would be tried with each element.
  func asArray<Other>(of type: Other.Type) -> [Other]? {
    (self as Any) as? [Other]
  }
}
