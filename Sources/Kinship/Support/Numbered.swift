/// Values by consecutive numbers, most of which are removed in about that order: in pieces, so that
/// growing moves no more than a piece.
struct Numbered<Value> {
  private static var shift: UInt64 { 9 }

  private var pieces: ContiguousArray<[UInt64: Value]> = []
  /// The number of the first piece.
  private var first: UInt64 = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The values, in no order.
  var values: some Sequence<Value> { pieces.lazy.flatMap(\.values) }

  /// The value with a number.
  ///
  /// - Complexity: O(1) on average.
  subscript(number: UInt64) -> Value? {
    get {
      let piece = number >> Self.shift
      guard piece >= first, piece - first < pieces.count else { return nil }
      return pieces[Int(piece - first)][number]
    }
    _modify {
      let place = makePiece(of: number)
      let before = pieces[place].count
      defer {
        count += pieces[place].count - before
        removeFirstPieces()
      }
      yield &pieces[place][number]
    }
  }

  /// Removes a value.
  mutating func removeValue(forKey number: UInt64) -> Value? {
    if self[number] == nil { return nil }
    var value: Value?
    swap(&value, &self[number])
    return value
  }

  private mutating func makePiece(of number: UInt64) -> Int {
    let piece = number >> Self.shift
    if pieces.isEmpty { first = piece }
    while piece < first {
      pieces.insert([:], at: 0)
      first -= 1
    }
    while piece - first >= pieces.count { pieces.append([:]) }
    return Int(piece - first)
  }

  /// The last piece stays, because others are appended to it.
  private mutating func removeFirstPieces() {
    guard pieces.count > 1, pieces[0].isEmpty else { return }
    let empty = pieces.dropLast().prefix { $0.isEmpty }.count
    pieces.removeFirst(empty)
    first += UInt64(empty)
  }
}

extension Numbered: Sendable where Value: Sendable {}
