extension IdentityMap {
  /// Whether anything waits for the lock to be released.
  @inlinable var hasDropped: Bool { droppedCount > 0 || !dropped.isEmpty }

  /// Keeps a value that left the map until the lock is released.
  ///
  /// - Complexity: O(1), amortised; nothing for a value that is plain bits.
  @inlinable
  mutating func keep<Element: Cacheable>(
    _ element: consuming Element, _ table: UnsafeMutablePointer<RecordTable<Element>>
  ) {
    if _isPOD(Element.self) { return }
    table.pointee.dropped.append(element)
    droppedTypes |= 1 &<< UInt64(truncatingIfNeeded: table.pointee.owner.index)
    droppedCount &+= 1
  }

  /// Takes the values of a type that left the map, to be destroyed once the lock is released.
  @inlinable
  mutating func takeDropped<Element: Cacheable>(
    of table: UnsafeMutablePointer<RecordTable<Element>>
  ) -> DroppedValues<Element> {
    var taken = DroppedValues<Element>()
    if _isPOD(Element.self) || droppedCount == 0 { return taken }
    swap(&taken, &table.pointee.dropped)
    droppedCount &-= taken.count
    return taken
  }

  /// Takes all that left the map, to be destroyed once the lock is released.
  mutating func takeDropped() -> [any Sendable] {
    var taken: [any Sendable] = []
    swap(&taken, &dropped)
    var types = droppedTypes
    droppedTypes = 0
    while types != 0 {
      // Types whose numbers differ by 64 share a bit.
      for number in stride(from: types.trailingZeroBitCount, to: operations.count, by: 64) {
        takeDropped(elementType(TypeNumber(number)), &taken)
      }
      types &= types &- 1
    }
    return taken
  }

  private mutating func takeDropped<Element: Cacheable>(
    _ type: Element.Type, _ taken: inout [any Sendable]
  ) {
    guard let table = table(type), table.pointee.dropped.count > 0 else { return }
    taken.append(takeDropped(of: table))
  }
}
