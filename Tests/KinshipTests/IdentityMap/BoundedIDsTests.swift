import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship

/// The ids known to be missing beside an array.
@Suite(.boundedWaits)
struct BoundedIDsTests {
  @Test func `the oldest ids are dropped first`() throws {
    for seed in try Effort().seeds(20) {
      var generator = SplitMix64(seed: seed)
      let limit = Int.random(in: 1...20, using: &generator)
      var missing = BoundedIDs<Int>(limit: limit)
      /// The last one noted is at the end.
      var model: [Int] = []
      for _ in 0..<600 {
        let id = Int.random(in: 0..<30, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0:
          missing.removeAll()
          model = []
        case 1..<30:
          missing.remove(id)
          model.removeAll { $0 == id }
        default:
          missing.insert(id)
          model.removeAll { $0 == id }
          model.append(id)
          if model.count > limit { model.removeFirst() }
        }
        try verifyEqual(missing.count, model.count, "the count")
        try verifyEqual(missing.isEmpty, model.isEmpty, "whether it is empty")
        for id in 0..<30 { try verifyEqual(missing.contains(id), model.contains(id), "\(id)") }
      }
    }
  }

  /// A capture has the ids of its moment, whatever is noted and dropped while it is read.
  @Test func `a capture has the ids of its moment`() throws {
    for seed in try Effort().seeds(2_000) {
      var generator = SplitMix64(seed: seed)
      var missing = BoundedIDs<Int>(limit: Int.random(in: 5...30, using: &generator))
      func change(_ count: Int) {
        for _ in 0..<count {
          let id = Int.random(in: 0..<40, using: &generator)
          switch Int.random(in: 0..<60, using: &generator) {
          case 0: missing.removeAll()
          case 1..<30: missing.remove(id)
          default: missing.insert(id)
          }
        }
      }
      change(60)
      let expected = (0..<40).filter { missing.contains($0) }
      missing.beginCapture()
      var taken: [Int] = []
      change(Int.random(in: 0...20, using: &generator))
      while let ids = missing.takeCaptured(limit: 3) {
        try verifyEqual(ids.count <= 3, true, "whether there are few")
        taken += ids
        change(Int.random(in: 0...10, using: &generator))
      }
      missing.endCapture()
      try verifyEqual(taken.sorted(), expected, "what was captured")
    }
  }

  @Test func `an id noted without a time has no age`() {
    var missing = BoundedIDs<Int>(limit: 9)
    missing.insert(1, at: 5)
    missing.insert(2)
    missing.insert(3, at: 6)
    #expect(missing.contains(2) && !missing.contains(2, since: 0))
    #expect(missing.contains(3, since: 6) && !missing.contains(3, since: 7))
  }
}
