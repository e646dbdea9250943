import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import KinshipTrials

/// Decoding any bytes gives a value or throws an error.
@Suite(.dedicatedThreads)
struct HostileBytesTests {
  @Test func `the compact decoder survives every flipped bit and every cut`() throws {
    let samples = try HostileSamples(CompactCoder())
    for original in samples.hostile.originals {
      try samples.hostile.neighbours(of: original, samples.verify)
    }
  }

  @Test(arguments: ["compact", "json"])
  func `a decoder survives many mutations`(form: String) throws {
    _ = try HostileSamples.manyMutations(form == "json" ? JSONCoder() : CompactCoder())
  }

  @Test func `the compact decoder survives random bytes`() throws {
    let samples = try HostileSamples(CompactCoder())
    for seed in try Effort().seeds(20) {
      var generator = SplitMix64(seed: seed)
      for _ in 0..<100 {
        let count = Int.random(in: 0..<40, using: &generator)
        try samples.verify(
          (0..<count).map { _ in .random(in: 0...255, using: &generator) })
      }
    }
  }

  /// A claimed length costs no memory or time before its bytes arrive.
  @Test func `a claimed length costs nothing before its bytes arrive`() throws {
    let coder = CompactCoder()
    for tag in [0xC0, 0xC6, 0xCA, 0xCB] as [UInt8] {
      for length: [UInt8] in [
        [0xFF, 0xFF, 0xFF, 0xFF, 0x07], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [0x80, 0x80, 0x80],
        [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x05],
      ] {
        #expect(throws: DecodingError.self) {
          try coder.decoded(CodedTree.self, from: [tag] + length + [1, 1])
        }
      }
    }
    #expect(throws: DecodingError.self) { try coder.decoded(Int.self, from: []) }
    #expect(throws: DecodingError.self) { try coder.decoded(Int.self, from: [1, 1]) }
    #expect(throws: DecodingError.self) {
      try coder.decoded(Int.self, from: [1], keys: ["a", "a"])
    }
    // The encoder rejects values that could not be decoded.
    #expect(throws: EncodingError.self) {
      var bytes: [UInt8] = []
      try coder.makeEncoder(keys: ["a", "a"]).encode(1, into: &bytes)
    }
    // The number of an unknown key, in an entry that is not requested.
    #expect(throws: DecodingError.self) {
      try coder.decoded(CodingShapes.Empty.self, from: [0xCA, 2, 2, 1], keys: ["a"])
    }
    #expect(throws: DecodingError.self) { try coder.decoded(String.self, from: [0x81, 0xFF]) }
    #expect(throws: DecodingError.self) {
      try coder.decoded(CodedTree.self, from: [0xCA, 4, 0, 1, 0xFF, 1])
    }
  }

  /// The entries are requested from the last to the first, with and without repetitions.
  @Test(arguments: [nil, 100])
  func `decoding a large container takes time in proportion to its entries`(period: Int?) throws {
    let growth = try ProcessorTime.growth(from: 10_000) { (count: Int) throws in
      let encoder = CompactCoder().makeEncoder(keys: [])
      var bytes: [UInt8] = []
      try encoder.encode(Backwards(count: count, period: period ?? count), into: &bytes)
      let decoder = CompactCoder().makeDecoder(keys: encoder.keys)
      let decoded = try bytes.withUnsafeBytes { try decoder.decode(Backwards.self, from: $0) }
      #expect(decoded.count == period ?? count)
    }
    #expect(growth < 9)
  }

  @Test func `decoding with failed attempts takes linear time`() throws {
    let growth = try ProcessorTime.growth(from: 2_000) { (count: Int) throws in
      let words = [String](repeating: "a", count: count)
      #expect(
        try CompactCoder().converted(words, to: CodedTree.self)
          == .list(words.map(CodedTree.text)))
    }
    #expect(growth < 9)
  }

  @Test func `decoding a long key repeatedly takes time linear in the entries`() throws {
    let key = String(repeating: "k", count: 1 << 20)
    let growth = try ProcessorTime.growth(from: 1 << 12) { (count: Int) throws in
      // The length in bytes, seven bits at a time, precedes the entries.
      var length: [UInt8] = []
      var rest = 2 * count
      while rest > 127 {
        length.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      let entries = [0xCA] + length + [UInt8(rest)] + [UInt8](repeating: 1, count: 2 * count)
      #expect(
        try CompactCoder().decoded([String: Int].self, from: entries, keys: [key]) == [key: 1])
    }
    #expect(growth < 9)
  }

  private struct Backwards: Codable {
    var count: Int
    var period: Int

    init(count: Int, period: Int) {
      self.count = count
      self.period = period
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: TreeKey.self)
      count = 0
      for key in container.allKeys.reversed() {
        _ = try container.decode(Int.self, forKey: key)
        count += 1
      }
      period = count
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: TreeKey.self)
      for index in 0..<count {
        try container.encode(index, forKey: TreeKey("\(index % period)"))
      }
    }
  }
}
