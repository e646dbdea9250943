/// A value that left the map, on its way to the listeners.
@usableFromInline
struct RemovedElement: Sendable {
  @usableFromInline let owner: Int
  @usableFromInline let element: any Cacheable
  @usableFromInline let reason: RemovalReason

  @inlinable
  init(owner: Int, element: any Cacheable, reason: RemovalReason) {
    self.owner = owner
    self.element = element
    self.reason = reason
  }
}
