import Kinship
import Testing

@testable import KinshipTrials

/// A field that is missing, new, null, or of another type: both forms give the same result.
struct FieldMatrixTests {
  struct Narrow: Codable, Equatable { var a: Int }
  struct Wide: Codable, Equatable { var a: Int, b: String, c: [Int] }
  struct Optionals: Codable, Equatable { var a: Int?, b: String?, c: [Int]? }
  struct Reordered: Codable, Equatable { var c: [Int], a: Int, b: String }
  struct Retyped: Codable, Equatable { var a: Double, b: String?, c: [Double] }
  struct Mistyped: Codable, Equatable { var a: String }
  struct Nested: Codable, Equatable { var a: Narrow }
  struct Unrelated: Codable, Equatable { var x: Int?, y: [String: Int]? }

  /// Writes null if a value is missing: `encodeIfPresent` writes nothing.
  struct Nulls: Codable, Equatable {
    var a: Int?
    var b: String?

    enum CodingKeys: CodingKey { case a, b }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(a, forKey: .a)
      try container.encode(b, forKey: .b)
    }
  }

  /// Decodes in every possible way.
  struct Questions: Decodable, Equatable {
    var contained: [Bool] = []
    var isNull: [Bool?] = []
    var count = 0
    var twice: [Int?] = []

    enum CodingKeys: CodingKey, CaseIterable { case a, b, c, d }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      for key in CodingKeys.allCases.reversed() {
        contained.append(container.contains(key))
        isNull.append(try? container.decodeNil(forKey: key))
        twice.append(try? container.decode(Int.self, forKey: key))
        twice.append(try? container.decodeIfPresent(Int.self, forKey: key))
      }
      count = container.allKeys.count
    }
  }

  private static let writers: [any Encodable & Sendable] = [
    Narrow(a: 1), Wide(a: 1, b: "x", c: [1, 2]), Optionals(), Optionals(a: 1, b: nil, c: []),
    Optionals(b: "x"), Reordered(c: [], a: 3, b: ""), Retyped(a: 1, b: "x", c: [1, 2]),
    Retyped(a: 1.5, b: nil, c: [0.5]), Mistyped(a: "x"), Nested(a: Narrow(a: 1)), Unrelated(),
    Unrelated(x: 1, y: ["z": 1]), Nulls(), Nulls(a: 1, b: nil), [1, 2], [Int](), "text", 1, true,
    [String: Int](), ["a": 1], ["b": [1]], ["c": Int?.none], Int?.none,
  ]

  @Test func `both forms decode each type alike`() throws {
    for writer in Self.writers {
      try verify(writer, as: Narrow.self)
      try verify(writer, as: Wide.self)
      try verify(writer, as: Optionals.self)
      try verify(writer, as: Reordered.self)
      try verify(writer, as: Retyped.self)
      try verify(writer, as: Mistyped.self)
      try verify(writer, as: Nested.self)
      try verify(writer, as: Unrelated.self)
      try verify(writer, as: Nulls.self)
      try verify(writer, as: Questions.self)
      try verify(writer, as: [Int].self)
      try verify(writer, as: [Int?].self)
      try verify(writer, as: String.self)
      try verify(writer, as: Int?.self)
      try verify(writer, as: [String: Int].self)
      try verify(writer, as: CodedTree.self)
    }
  }

  private func verify<Reader: Decodable & Equatable>(
    _ value: some Encodable, as type: Reader.Type
  ) throws {
    let compact = Result { try CompactCoder.compact.converted(value, to: type) }
    let json = Result { try JSONCoder.json.converted(value, to: type) }
    switch (compact, json) {
    case (.success(let compact), .success(let json)):
      #expect(compact == json, "\(value) as \(type)")
    case (.failure(let compact), .failure(let json)):
      // JSON's dictionaries have no order, so any error may be the first.
      guard type != [String: Int].self else { return }
      // A number that is not an integer has no place in JSON's error.
      if case DecodingError.dataCorrupted(let context) = json, context.codingPath.isEmpty { return }
      #expect(summary(compact) == summary(json), "\(value) as \(type)")
    default:
      Issue.record("\(value) as \(type): \(compact) but JSON \(json)")
    }
  }

  /// The kind of an error, and its place.
  private func summary(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "keyNotFound \(key.stringValue) \(path(context))"
    case DecodingError.typeMismatch(_, let context): "typeMismatch \(path(context))"
    case DecodingError.valueNotFound(_, let context): "valueNotFound \(path(context))"
    case DecodingError.dataCorrupted(let context): "dataCorrupted \(path(context))"
    default: "\(error)"
    }
  }

  private func path(_ context: DecodingError.Context) -> [String] {
    context.codingPath.map(\.stringValue)
  }
}
