import Foundation
package import Kinship
import KinshipTestSupport

/// Encodings of shapes of all kinds, by one encoder.
package struct HostileSamples {
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
    // With the key spelled out, as if there were too many keys.
    let spelled: [UInt8] = [0xCA, 8, 0, 2, 105, 100, 1, 2, 3, 4]
    self.coder = coder
    decoder = coder.makeDecoder(keys: encoder.keys)
    hostile = HostileBytes(originals: originals + [spelled])
  }

  /// Decodes some bytes as every shape, then encodes each value and decodes it again.
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
    // NaN equals nothing, not even itself after decoding.
    guard try value == decode(type, bytes) else { return }
    // JSON does not support every floating-point number.
    guard let again = try? coder.roundTrip(value) else {
      try KinshipTestSupport.verify(coder is JSONCoder, "\(value) cannot be encoded")
      return
    }
    try KinshipTestSupport.verify(again == value, "\(bytes): \(value) is read back as \(again)")
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBytes { try decoder.decode(type, from: $0) }
  }

  /// Decodes encodings that were changed at random.
  ///
  /// - Parameter coder: The coder under test.
  /// - Returns: How many were tried.
  /// - Throws: `Mismatch` if a decoded value is not the same when it is encoded and decoded again.
  package static func manyMutations(_ coder: any RecordCoder) throws -> Int {
    let samples = try HostileSamples(coder)
    let seeds = try Effort().seeds(coder is JSONCoder ? 10 : 170)
    for seed in seeds {
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
    return seeds.count * 100
  }
}
