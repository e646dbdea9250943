/// Where an entry lies in the log: in which segment, and from where on so many bytes.
struct Position: Hashable, Sendable {
  let segment: UInt32
  let offset: UInt32
  let length: UInt32
}

extension Position: Comparable {
  static func < (left: Position, right: Position) -> Bool {
    (left.segment, left.offset) < (right.segment, right.offset)
  }
}
