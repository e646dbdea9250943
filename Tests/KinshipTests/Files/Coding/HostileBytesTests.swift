import Foundation
import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Whatever the bytes, decoding them gives a value or throws an error.
struct HostileBytesTests {
  @Test func everyBitAndEveryLength() throws {
    let samples = try HostileSamples(CompactCoder())
    for original in samples.hostile.originals {
      try samples.hostile.neighbours(of: original, samples.verify)
    }
  }

  @Test(arguments: ["compact", "json"]) func manyMutations(form: String) throws {
    _ = try HostileSamples.manyMutations(form == "json" ? JSONCoder() : CompactCoder())
  }

  @Test func bytesAtRandom() throws {
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

  /// What a byte claims costs no memory or time before there are bytes for it.
  @Test func claimsAreNotBelieved() throws {
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
    // Nor is anything encoded that could not be decoded.
    #expect(throws: EncodingError.self) {
      var bytes: [UInt8] = []
      try coder.makeEncoder(keys: ["a", "a"]).encode(1, into: &bytes)
    }
    // The number of a key that there is not, in an entry that nobody asks for.
    #expect(throws: DecodingError.self) {
      try coder.decoded(CodingShapes.Empty.self, from: [0xCA, 2, 2, 1], keys: ["a"])
    }
    #expect(throws: DecodingError.self) { try coder.decoded(String.self, from: [0x81, 0xFF]) }
    #expect(throws: DecodingError.self) {
      try coder.decoded(CodedTree.self, from: [0xCA, 4, 0, 1, 0xFF, 1])
    }
  }

  /// A hundred thousand entries, asked for from the last to the first, with and without
  /// repetitions.
  @Test func largeContainersAreNotSlow() throws {
    let count = 100_000
    let encoder = CompactCoder().makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(Backwards(count: count, period: count), into: &bytes)
    let decoder = CompactCoder().makeDecoder(keys: encoder.keys)
    let start = ContinuousClock.now
    let all = try bytes.withUnsafeBytes { try decoder.decode(Backwards.self, from: $0) }
    #expect(all.count == count)
    bytes = []
    try encoder.encode(Backwards(count: count, period: 100), into: &bytes)
    let some = try bytes.withUnsafeBytes { try decoder.decode(Backwards.self, from: $0) }
    #expect(some.count == 100)
    // It takes seconds in a debug build on a slow machine; minutes, were it quadratic.
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  /// What is tried in vain many times, and long keys that take one byte each, cost no more than
  /// their bytes.
  @Test func errorsAndRepetitionsAreNotSlow() throws {
    let start = ContinuousClock.now
    let words = [String](repeating: "a", count: 20_000)
    #expect(
      try CompactCoder().converted(words, to: CodedTree.self)
        == .list(words.map(CodedTree.text)))
    // An object of 65,536 entries.
    let entries = [0xCA, 0x80, 0x80, 0x08] + [UInt8](repeating: 1, count: 1 << 17)
    let key = String(repeating: "k", count: 1 << 20)
    #expect(
      try CompactCoder().decoded([String: Int].self, from: entries, keys: [key]) == [key: 1])
    #expect(ContinuousClock.now - start < .seconds(60))
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
