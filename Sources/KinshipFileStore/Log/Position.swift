/// The location of an entry in the log: its segment, its offset and its length in bytes.
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
