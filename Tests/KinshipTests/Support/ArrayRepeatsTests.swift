import KinshipTestSupport
import Testing

@testable import Kinship

struct ArrayRepeatsTests {
  /// The result equals a comparison of all pairs: for numbers that are close to each other or far
  /// apart, at the ends of their range, and others.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the first duplicate is found`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for bounds in [0...20, -3...64, 0...63, .max - 70 ... .max, .min ... .min + 9, .min ... .max] {
      let numbers = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Bool.random(using: &random)
          ? Int.random(in: bounds, using: &random)
          : [bounds.lowerBound, bounds.upperBound].randomElement(using: &random) ?? 0
      }
      let expected = numbers.indices.first { numbers[..<$0].contains(numbers[$0]) }
      #expect(numbers.firstRepeat == expected, "\(numbers)")
      #expect(numbers.map(String.init).firstRepeat == expected)
      #expect(numbers.map { UInt64(bitPattern: Int64($0)) }.firstRepeat == expected)
    }
  }
}
