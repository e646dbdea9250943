/// What the map counts as it works.
@usableFromInline
struct Tally: Hashable, Sendable {
  @usableFromInline var hits = 0
  @usableFromInline var misses = 0
  @usableFromInline var evictedByCount = 0
  @usableFromInline var evictedByCost = 0
  @usableFromInline var evictedByTrim = 0
  @usableFromInline var evictedByRequest = 0
  @usableFromInline var replaced = 0
  @usableFromInline var removed = 0
  @usableFromInline var invalidated = 0
  @usableFromInline var expired = 0

  @inlinable
  init() {}
}
