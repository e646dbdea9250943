import KinshipTestSupport
import Testing

@testable import Kinship

/// Referrers and their targets, beside an array of pairs.
struct ReferrerListsTests {
  @Test func `referrers keep the order in which they were added`() throws {
    for seed in try Effort().seeds(20) {
      var generator = SplitMix64(seed: seed)
      var lists = ReferrerLists<Int, Int>()
      /// The last one added is at the end.
      var model: [(source: Int, target: Int)] = []
      for _ in 0..<600 {
        let source = Int.random(in: 0..<4, using: &generator)
        let targets = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          Int.random(in: 0..<6, using: &generator)
        }
        let (moment, before) = (lists.turn, model.count)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0:
          lists.removeAll()
          model = []
        case 1..<50:
          lists.remove(source, from: targets)
          model.removeAll { $0.source == source && targets.contains($0.target) }
        default:
          lists.add(source, to: targets)
          for target in targets where !model.contains(where: { $0 == (source, target) }) {
            model.append((source, target))
          }
        }
        try verifyEqual(lists.isEmpty, model.isEmpty, "whether there are none")
        for target in 0..<6 {
          let expected = model.filter { $0.target == target }.map(\.source)
          try verifyEqual(lists.sources(of: target), expected, "those of \(target)")
          let new = model.dropFirst(before).filter { $0.target == target }.map(\.source)
          try verifyEqual(lists.sources(of: target, since: moment), new, "the new ones")
        }
      }
    }
  }

  /// A caller that asks the store meanwhile sees the record among those evicted since.
  @Test func `a referrer that was evicted again counts as evicted since`() {
    let index = ReferrerIndex<Int, Int>(limit: 9)
    func leave() {
      index.add(1) { $0.append(7) }
      index.remove(1, isEvicted: true) { $0.append(7) }
    }
    _ = index.beginAsking()
    leave()
    let turn = index.beginAsking()
    #expect(index.evicted.sources(of: 7, since: turn).isEmpty)
    leave()
    #expect(index.evicted.sources(of: 7, since: turn) == [1])
  }
}
