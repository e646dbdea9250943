import Kinship

/// Parts of OO1 with three connections each, nine of ten to the hundredth of the parts nearest by
/// id.
struct PartList: Sendable {
  let parts: [Part]
  private let size: Int

  init(count: Int) {
    var generator = SplitMix64(seed: 31)
    size = count
    parts = (0..<count).map { Self.part($0, of: count, using: &generator) }
  }

  /// Returns new parts with consecutive ids.
  func newParts(_ count: Int, from first: Int) -> [Part] {
    var generator = SplitMix64(seed: UInt64(first))
    return (first..<first + count).map { Self.part($0, of: size, using: &generator) }
  }

  private static func part(
    _ id: Int, of count: Int, using generator: inout SplitMix64
  ) -> Part {
    Part(
      id: id, type: "part-type\(id % 10)", x: Int.random(in: 0..<100_000, using: &generator),
      y: Int.random(in: 0..<100_000, using: &generator),
      date: Int.random(in: 0..<3_650, using: &generator),
      connections: (0..<3).map { _ in
        let near = Int.random(in: 0..<10, using: &generator) < 9
        let distance = max(1, count / 200)
        let nearest = min(max(0, id - distance), count - 2 * distance)
        let range = near ? nearest..<nearest + 2 * distance : 0..<count
        return Ref(Int.random(in: range, using: &generator))
      })
  }
}

/// The parts that a traversal has visited, counted with repeats.
struct Visits {
  var count = 0
  var digest = 0

  mutating func visit(_ digest: Int) {
    count += 1
    self.digest &+= digest
  }

  /// The number of visits of a traversal of seven hops: each part has three connections.
  static let each = (0...7).reduce((sum: 0, power: 1)) { result, _ in
    (result.sum + result.power, 3 * result.power)
  }.sum
}
