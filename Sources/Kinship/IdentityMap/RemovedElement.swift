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
