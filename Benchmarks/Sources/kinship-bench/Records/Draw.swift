import Kinship

/// Random ids, drawn before the clock starts, in the form that each system needs.
struct Draw<Member: PersonRecord>: Sendable {
  let numbers: [Int]
  let ids: [Member.ID]
  let refs: [Ref<Member>]

  init(numbers: [Int]) {
    self.numbers = numbers
    ids = numbers.map(Member.id)
    refs = ids.map { Ref($0) }
  }

  /// Draws each number below `bound` with equal probability.
  static func uniform(_ count: Int, below bound: Int, seed: UInt64) -> Draw {
    var generator = SplitMix64(seed: seed)
    return Draw(numbers: (0..<count).map { _ in Int.random(in: 0..<bound, using: &generator) })
  }
}
