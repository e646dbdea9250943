import KinshipTestSupport
import Testing

@testable import Kinship

/// The list of waiters beside an array.
struct WaiterListTests {
  @Test func `waiters stay in their order`() throws {
    for seed in try Effort().seeds(50) {
      var generator = SplitMix64(seed: seed)
      var list = WaiterList()
      var model: [UInt64] = []
      for next in 1...60 as ClosedRange<UInt64> {
        if generator.chance(0.5) {
          list.append(next)
          model.append(next)
        } else {
          let waiter = UInt64.random(in: 1...next, using: &generator)
          try verifyEqual(list.remove(waiter), model.contains(waiter), "whether it was there")
          model.removeAll { $0 == waiter }
        }
        try verifyEqual(list.inOrder, model, "the waiters")
        try verifyEqual(list.count, model.count, "the count")
        try verifyEqual(list.isEmpty, model.isEmpty, "whether it is empty")
        for waiter in 1...next {
          try verifyEqual(list.contains(waiter), model.contains(waiter), "who waits")
        }
      }
    }
  }
}
