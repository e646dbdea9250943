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

  /// Moves the values of a type that left the map to the others that wait for the lock to be
  /// released: cheap if the type is known.
  @inlinable
  mutating func packDropped<Element: Cacheable>(of type: Element.Type) {
    guard let table = table(type), table.pointee.dropped.count > 0 else { return }
    dropped.append(takeDropped(of: table))
  }

  /// Takes all that left the map, to be destroyed once the lock is released.
  mutating func takeDropped() -> [any Sendable] {
    let types = droppedCount > 0 ? droppedTypes : 0
    droppedTypes = 0
    types.forEachPlace { bit in
      // Types whose numbers differ by 64 share a bit.
      for number in stride(from: bit, to: operations.count, by: 64) {
        packDropped(of: elementType(TypeNumber(number)))
      }
    }
    var taken: [any Sendable] = []
    swap(&taken, &dropped)
    return taken
  }
}
