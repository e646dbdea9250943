import Foundation
import Kinship
import KinshipTestSupport
import Testing

/// Whatever the bytes, decoding them gives a value or throws an error.
///
/// `KINSHIP_OPERATIONS=50` makes above a million mutations.
struct HostileBytesTests {
  /// Encodings of shapes of all kinds, by one encoder.
  private struct Samples {
    let coder: any RecordCoder
    let decoder: any RecordDecoder
    let hostile: HostileBytes

    init(_ coder: any RecordCoder) throws {
      let encoder = coder.makeEncoder(keys: [])
      let person = CodingShapes.Person(
        id: 70_000, name: "Albert", title: "Ä", father: 7, events: [1, 300],
        birth: .init(year: 1819, date: Date(timeIntervalSinceReferenceDate: 0.1), place: "R"),
        notes: ["en": "Prince"], isPrivate: true, height: 1.78)
      let mixed = CodingShapes.Mixed(
        empty: .init(), emptyList: [], sparse: [1, nil], byID: [1: "a"], bySex: [.male: 1],
        byPair: [.init(left: 1, right: 2): true], matrix: [[1, 0.5]], range: 3..<9,
        data: Data([1, 2]), uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)),
        url: URL(filePath: "/a"), decimal: 1.5, optionalData: nil)
      let values: [any Encodable] = [
        person, mixed, CodingShapes.Choice.nested(.pair("b", right: 0.5), [.nothing, .number(-1)]),
        CodingShapes.Dog(name: "Eos", age: 9), [Int.max, .min, 100], Int128.max, "text", 0.1,
        String(repeating: "x", count: 70),
      ]
      let originals = try values.map { value in
        var bytes: [UInt8] = []
        try encoder.encode(value, into: &bytes)
        return bytes
      }
      // With the key spelled out, as it is where there are too many.
      let spelled: [UInt8] = [0xCA, 8, 0, 2, 105, 100, 1, 2, 3, 4]
      self.coder = coder
      decoder = coder.makeDecoder(keys: encoder.keys)
      hostile = HostileBytes(originals: originals + [spelled])
    }

    /// Decodes some bytes as every shape, and what is read once more from what is written of it.
    func verify(_ bytes: [UInt8]) throws {
      try verify(CodedTree.self, bytes)
      try verify(CodingShapes.Person.self, bytes)
      try verify(CodingShapes.Mixed.self, bytes)
      try verify(CodingShapes.Choice.self, bytes)
      _ = try? decode(CodingShapes.Dog.self, bytes)
      try verify([Int].self, bytes)
      try verify([String?].self, bytes)
      _ = try? decode(Double.self, bytes)
    }

    private func verify<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) throws {
      guard let value = try? decode(type, bytes) else { return }
      // What is no number equals nothing, not even itself when it is read again.
      guard try value == decode(type, bytes) else { return }
      // JSON does not take every floating-point number.
      guard let again = try? coder.roundTrip(value) else {
        try KinshipTestSupport.verify(coder is JSONCoder, "\(value) cannot be encoded")
        return
      }
      try KinshipTestSupport.verify(again == value, "\(bytes): \(value) is read back as \(again)")
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
      try bytes.withUnsafeBytes { try decoder.decode(type, from: $0) }
    }
  }

  @Test func everyBitAndEveryLength() throws {
    let samples = try Samples(CompactCoder())
    for original in samples.hostile.originals {
      try samples.hostile.neighbours(of: original, samples.verify)
    }
  }

  @Test(arguments: ["compact", "json"]) func manyMutations(form: String) throws {
    let samples = try Samples(form == "json" ? JSONCoder() : CompactCoder())
    for seed in try Effort().seeds(form == "json" ? 10 : 170) {
      var generator = SplitMix64(seed: seed)
      for _ in 0..<100 {
        let bytes = samples.hostile.mutation(using: &generator)
        do {
          try samples.verify(bytes)
        } catch {
          throw Mismatch("seed \(seed): \(error)")
        }
      }
    }
  }

  @Test func bytesAtRandom() throws {
    let samples = try Samples(CompactCoder())
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

  /// A hundred thousand entries, asked for from the last to the first, with and without repetitions.
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

  /// What is tried in vain many times, and long keys that take one byte each, cost no more than their bytes.
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
