extension Array where Element: Hashable {
  /// The place of the first element that has come before; `nil` if there is none.
  ///
  /// Integers and texts, what most ids are, are compared by code that is specialised for them.
  ///
  /// - Complexity: O(*n*) on average; integers that ascend, as databases read them, are not hashed.
  package var firstRepeat: Int? {
    if let integers = asArray(of: Int.self) {
      return integers.isAscending ? nil : integers.findRepeat()
    }
    if let texts = asArray(of: String.self) { return texts.findRepeat() }
    return findRepeat()
  }

  private func findRepeat() -> Int? {
    var seen = Set<Element>(minimumCapacity: count)
    return firstIndex { !seen.insert($0).inserted }
  }
}

extension Array where Element: Comparable {
  /// Whether each element is greater than the one before.
  fileprivate var isAscending: Bool {
    indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] }
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
