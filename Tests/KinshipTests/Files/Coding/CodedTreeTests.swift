import KinshipTestSupport
import Kinship
import Testing

@testable import KinshipTrials

/// Trees of values of all kinds, at random.
struct CodedTreeTests {
  @Test func `the compact coder decodes any tree it encodes`() throws {
    for seed in try Effort().seeds(400) {
      var generator = SplitMix64(seed: seed)
      let tree = CodedTree.random(depth: 6, using: &generator)
      #expect(try CompactCoder.compact.roundTrip(tree) == tree, "seed \(seed)")
    }
  }

  @Test func `one encoder encodes many trees`() throws {
    for seed in try Effort().seeds(10) {
      var generator = SplitMix64(seed: seed)
      let encoder = CompactCoder.compact.makeEncoder(keys: [])
      let trees = (0..<50).map { _ in CodedTree.random(depth: 4, using: &generator) }
      let encoded = try trees.map { tree in
        var bytes: [UInt8] = []
        try encoder.encode(tree, into: &bytes)
        return bytes
      }
      let decoder = CompactCoder.compact.makeDecoder(keys: encoder.keys)
      for (tree, bytes) in zip(trees, encoded).shuffled(using: &generator) {
        let decoded = try bytes.withUnsafeBytes { try decoder.decode(CodedTree.self, from: $0) }
        #expect(decoded == tree, "seed \(seed)")
      }
    }
  }

  /// Beyond a number of keys, the keys are spelled out.
  @Test func `objects may have more keys than the coder tables hold`() throws {
    let large = Dictionary(uniqueKeysWithValues: (0..<3_000).map { ("key \($0)", $0) })
    let (bytes, keys) = try CompactCoder.compact.encoded([large, large])
    #expect(keys.count == 1_024)
    #expect(
      try CompactCoder.compact.decoded([[String: Int]].self, from: bytes, keys: keys)
        == [large, large])
    // A struct is decoded from such an object, too.
    let narrow = try CompactCoder.compact.decoded([Narrow].self, from: bytes, keys: keys)
    #expect(narrow == [Narrow(first: 7, last: 2_999), Narrow(first: 7, last: 2_999)])
  }

  private struct Narrow: Codable, Equatable {
    var first: Int
    var last: Int

    enum CodingKeys: String, CodingKey {
      case first = "key 7"
      case last = "key 2999"
    }
  }
}
