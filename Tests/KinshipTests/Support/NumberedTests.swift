import KinshipTestSupport
import Testing

@testable import Kinship

/// Values by number equal those of a dictionary.
struct NumberedTests {
  @Test func `a numbered collection equals a dictionary`() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20 {
      var numbered = Numbered<Int>()
      var model: [UInt64: Int] = [:]
      var last: UInt64 = 100_000
      for _ in 0..<2_000 {
        last += UInt64.random(in: 0...3, using: &generator) * 40
        // Most numbers are recent, and some were removed long ago.
        let number = last - UInt64.random(in: 0...2_000, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          #expect(numbered.removeValue(forKey: number) == model.removeValue(forKey: number))
        case 1:
          numbered[number]? += 1
          model[number]? += 1
        case 2:
          let oldest = model.keys.min() ?? number
          numbered[oldest] = nil
          model[oldest] = nil
        default:
          numbered[number] = Int(number)
          model[number] = Int(number)
        }
        #expect(numbered[number] == model[number])
        #expect(numbered.count == model.count && numbered.isEmpty == model.isEmpty)
      }
      #expect(numbered.values.sorted() == model.values.sorted())
    }
  }
}
