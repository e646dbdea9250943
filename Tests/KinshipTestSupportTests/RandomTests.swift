import KinshipTestSupport
import Testing

struct RandomTests {
  @Test func `random numbers equal those of the published algorithm`() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `a generator continues from its seed`() {
    var generator = SplitMix64(seed: 7)
    _ = generator.next()
    var continued = SplitMix64(seed: generator.seed)
    #expect(continued.next() == generator.next())
  }

  @Test func `split generators are independent`() {
    var first = SplitMix64(seed: 3)
    var second = first
    var child = first.split()
    var sameChild = second.split()
    for _ in 0..<10 { _ = child.next() }
    _ = sameChild.next()
    #expect(first.next() == second.next())
    #expect(child != sameChild)
  }

  @Test func `subseeds differ`() {
    let subseeds = (0..<100).flatMap { seed in
      (0..<100).map { SplitMix64.subseed($0, of: seed) }
    }
    #expect(Set(subseeds).count == 10_000)
    #expect(subseeds[205] == SplitMix64.subseed(5, of: 2))
  }

  @Test func `a chance has its probability`() {
    var generator = SplitMix64(seed: 1)
    let hits = (0..<10_000).count { _ in generator.chance(0.3) }
    #expect((2_850...3_150).contains(hits))
    #expect(!(0..<1_000).contains { _ in generator.chance(0) })
    #expect((0..<1_000).allSatisfy { _ in generator.chance(1) })
  }

  @Test func `elements are drawn by their weights`() {
    let choice = WeightedChoice([(6, "read"), (0, "never"), (3, "write"), (1, "evict")])
    var generator = SplitMix64(seed: 2)
    var counts: [String: Int] = [:]
    for _ in 0..<10_000 { counts[choice.draw(using: &generator), default: 0] += 1 }
    #expect(counts["never"] == nil)
    for (element, expected) in [("read", 6_000), ("write", 3_000), ("evict", 1_000)] {
      #expect(abs(counts[element, default: 0] - expected) < 200, "\(element)")
    }
  }

  @Test(arguments: [0, 0.5, 1, 1.5]) func `ranks are drawn by Zipf's law`(exponent: Double) {
    let zipf = ZipfDistribution(count: 50, exponent: exponent)
    var generator = SplitMix64(seed: 4)
    var counts = Array(repeating: 0, count: zipf.count)
    let draws = 50_000
    for _ in 0..<draws { counts[zipf.draw(using: &generator)] += 1 }
    for (rank, count) in counts.enumerated() {
      let expected = zipf.probability(of: rank) * Double(draws)
      #expect(abs(Double(count) - expected) < 6 * expected.squareRoot() + 1, "rank \(rank)")
    }
  }

  @Test func `Zipf probabilities follow the exponent`() {
    let zipf = ZipfDistribution(count: 8, exponent: 1)
    #expect(abs((0..<8).reduce(0) { $0 + zipf.probability(of: $1) } - 1) < 1e-12)
    #expect(abs(zipf.probability(of: 0) / zipf.probability(of: 3) - 4) < 1e-9)
  }
}
