/// A relationship in the numbers of a schema: the type, and the relationship of the type.
@usableFromInline
struct EdgeID: Hashable, Comparable, Sendable {
  @usableFromInline let source: TypeNumber
  @usableFromInline let number: Int

  @inlinable
  init(source: TypeNumber, number: Int) {
    self.source = source
    self.number = number
  }

  @inlinable
  static func < (left: EdgeID, right: EdgeID) -> Bool {
    (left.source, left.number) < (right.source, right.number)
  }
}
