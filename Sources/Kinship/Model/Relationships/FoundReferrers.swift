/// The known referrers of a record by one relationship.
struct FoundReferrers: Sendable {
  /// The one record.
  let target: IDs
  /// Their slots, in the order of their ids if these have one.
  let slots: [Slot]
  /// The referrers that are not in memory, each in a list of its own.
  let absent: [IDs]
  /// Whether these are all referrers.
  let isComplete: Bool
}

extension Array where Element: Sendable {
  /// Returns the elements in their order, if they have one.
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
