/// Who refers to a record by one relationship, as far as that is known.
struct FoundReferrers: Sendable {
  /// The one record.
  let target: IDs
  /// Where they are: in the order of their ids, where these have one.
  let slots: [Slot]
  /// Those who are not in memory, each by itself.
  let absent: [IDs]
  /// Whether that is everybody.
  let isComplete: Bool
}

extension Array where Element: Sendable {
  /// In the order of the elements, where they have one.
  ///
  /// - Complexity: O(*n* log *n*).
  func sortedIfComparable() -> [Element] {
    func sorted<C: Comparable & Sendable>(as type: C.Type) -> [Element] {
      checked(checked(self, as: [C].self).sorted(), as: [Element].self)
    }
    if count < 2 { return self }
    return (Element.self as? any (Comparable & Sendable).Type).map { sorted(as: $0) } ?? self
  }
}
