/// A record in a graph: the number of its type and its place in the type's column.
struct NodeKey: Hashable, Sendable {
  let type: Int32
  let index: Int32

  init(type: Int, index: Int) {
    self.type = Int32(truncatingIfNeeded: type)
    self.index = Int32(truncatingIfNeeded: index)
  }
}
