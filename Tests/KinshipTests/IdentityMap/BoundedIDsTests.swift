import KinshipTestSupport
import Testing

@testable import Kinship

/// The ids known to be missing beside an array.
struct BoundedIDsTests {
  @Test func theOldestAreForgottenFirst() throws {
    for seed in try Effort().seeds(20) {
      var generator = SplitMix64(seed: seed)
      let limit = Int.random(in: 1...20, using: &generator)
      var missing = BoundedIDs<Int>(limit: limit)
      /// The one noted last at the end.
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
}
