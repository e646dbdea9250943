/// Where an entry lies in the log: in which segment, from where on, and how many bytes.
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
