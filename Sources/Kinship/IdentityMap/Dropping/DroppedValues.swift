/// Values of one type that left the map, kept until the lock is released.
///
/// No user's value is destroyed under the lock, because its `deinit` may use the cache.
@usableFromInline
struct DroppedValues<Element: Sendable>: Sendable {
  /// Usually it is the only one, and takes no memory of its own.
  @usableFromInline var first: Element?
  @usableFromInline var rest: ContiguousArray<Element>

  @inlinable
  init() {
    first = nil
    rest = []
  }

  @inlinable var count: Int { first == nil ? 0 : rest.count &+ 1 }

  @inlinable
  mutating func append(_ element: consuming Element) {
    if first == nil { first = element } else { rest.append(element) }
  }

  /// Destroys the values; the memory stays.
  @inlinable
  mutating func removeAll() {
    first = nil
    rest.removeAll(keepingCapacity: true)
  }
}
