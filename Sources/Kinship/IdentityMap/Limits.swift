/// The limits of the map at rest.
@usableFromInline
struct Limits: Sendable {
  @usableFromInline let count: Int
  @usableFromInline let cost: Int

  init(count: Int, cost: Int) {
    self.count = max(0, count)
    self.cost = max(0, cost)
  }
}
