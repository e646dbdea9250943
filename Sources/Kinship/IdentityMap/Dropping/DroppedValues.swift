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

/// A value that left the map, on its way to the listeners.
@usableFromInline
struct RemovedElement: Sendable {
  @usableFromInline let element: any Cacheable
  @usableFromInline let reason: RemovalReason

  @inlinable
  init(element: any Cacheable, reason: RemovalReason) {
    self.element = element
    self.reason = reason
  }
}

/// The reason why a record left the cache.
public enum RemovalReason: Hashable, Sendable {
  /// The cache evicted it to keep within the limits, by `trim(to:)`, or by `evict(_:)`.
  ///
  /// The record still exists.
  case evicted
  /// Another value for the same identity replaced it.
  case replaced
  /// `remove(_:)` or `removeAll()` removed it.
  case removed
  /// It may be out of date: the next read loads it from the backing store.
  case invalidated
  /// It expired, by the ``Freshness`` of its type; it may still exist.
  case expired
}
