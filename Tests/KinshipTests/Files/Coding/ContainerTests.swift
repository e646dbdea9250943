import Kinship
import Testing

@testable import KinshipTrials

/// Containers as a value's own `encode(to:)` and `init(from:)` may use them, and the texts of
/// errors.
struct ContainerTests {
  private let coder = CompactCoder()

  enum Key: String, CodingKey { case a, b, c, d }

  /// Encodes as a closure decides.
  struct Written: Encodable {
    let body: (any Encoder) throws -> Void
    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  struct Failure: Error {}

  struct Path: Error { let keys: [String] }

  private func tree(_ body: @escaping (any Encoder) throws -> Void) throws -> CodedTree {
    try coder.converted(Written(body), to: CodedTree.self)
  }

  private func object(_ entries: [String: CodedTree]) -> CodedTree { .object(entries) }

  @Test func `nested containers may be written in turn`() throws {
    for repeated in 0..<2 {
      let tree = try tree { encoder in
        var outer = encoder.container(keyedBy: Key.self)
        var first = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
        try first.encode(1, forKey: .a)
        var second = outer.nestedUnkeyedContainer(forKey: .b)
        try second.encode("x")
        var third = second.nestedContainer(keyedBy: Key.self)
        try first.encode(2, forKey: .b)
        try third.encode(3, forKey: .c)
        try second.encode(repeated)
        try outer.encode([4], forKey: .c)
        let text = outer.superEncoder(forKey: .d)
        try third.encode(String(repeating: "y", count: 300), forKey: .d)
        var single = text.singleValueContainer()
        try single.encode("z")
        try first.encode([5, 6], forKey: .c)
        #expect(first.codingPath.map(\.stringValue) == ["a"])
        #expect(third.codingPath.map(\.stringValue) == ["b", "Index 1"])
      }
      let third = object(["c": .integer(3), "d": .text(String(repeating: "y", count: 300))])
      #expect(
        tree
          == object([
            "a": object([
              "a": .integer(1), "b": .integer(2), "c": .list([.integer(5), .integer(6)]),
            ]),
            "b": .list([.text("x"), third, .integer(Int128(repeated))]),
            "c": .list([.integer(4)]), "d": .text("z"),
          ]))
    }
  }

  @Test func `an encoder returns its existing container when asked again`() throws {
    let tree = try tree { encoder in
      var first = encoder.container(keyedBy: Key.self)
      var second = encoder.container(keyedBy: TreeKey.self)
      try first.encode(1, forKey: .a)
      try second.encode(2, forKey: TreeKey("b"))
      try first.encode(3, forKey: .c)
    }
    #expect(tree == object(["a": .integer(1), "b": .integer(2), "c": .integer(3)]))
  }

  @Test func `the last of duplicate keys wins`() throws {
    for count in [3, 100] {
      let (bytes, keys) = try coder.encoded(
        Written { encoder in
          var container = encoder.container(keyedBy: TreeKey.self)
          for index in 0..<count {
            try container.encode(index, forKey: TreeKey("a"))
            try container.encode(["x": index], forKey: TreeKey("b \(index / 2)"))
          }
        })
      let entries = try coder.decoded([String: CodedTree].self, from: bytes, keys: keys)
      #expect(entries["a"] == .integer(Int128(count - 1)))
      let container = try coder.decoded(Entries.self, from: bytes, keys: keys)
      #expect(container.names.count == (count + 1) / 2 + 1)
      #expect(container.b == ["x": min(count - 1, 1)])
    }
  }

  struct Entries: Decodable {
    var names: [String]
    var b: [String: Int]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: TreeKey.self)
      names = container.allKeys.map(\.stringValue)
      b = try container.decode([String: Int].self, forKey: TreeKey("b 0"))
    }
  }

  @Test func `an encoding that fails leaves no trace in its container`() throws {
    let tree = try tree { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try? container.encode(Written { _ in throw Failure() }, forKey: .a)
      try? container.encode(
        [
          Written { encoder in
            var inner = encoder.unkeyedContainer()
            try inner.encode(1)
            throw Failure()
          }
        ], forKey: .b)
      var list = container.nestedUnkeyedContainer(forKey: .c)
      try list.encode(1)
      try? list.encode(Written { _ in throw Failure() })
      #expect(list.count == 1)
      try list.encode(2)
    }
    #expect(tree == object(["c": .list([.integer(1), .integer(2)])]))
  }

  @Test func `a failed encoding leaves the bytes unchanged`() throws {
    let encoder = coder.makeEncoder(keys: [])
    var bytes: [UInt8] = [7]
    #expect(throws: Failure.self) {
      try encoder.encode([Written { _ in throw Failure() }], into: &bytes)
    }
    #expect(bytes == [7])
    try encoder.encode(1, into: &bytes)
    #expect(bytes == [7, 1])
  }

  @Test func `a value that encodes nothing is an error or an empty object`() throws {
    #expect(throws: EncodingError.self) { try tree { _ in } }
    #expect(throws: EncodingError.self) { try tree { _ = $0.singleValueContainer() } }
    #expect(try tree { _ = $0.container(keyedBy: Key.self) } == object([:]))
    #expect(try tree { _ = $0.unkeyedContainer() } == .list([]))
    #expect(
      try tree { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Written { _ in }, forKey: .a)
        _ = container.superEncoder()
      } == object(["a": object([:]), "super": object([:])]))
  }

  @Test func `misuse of containers is an error`() throws {
    #expect(throws: EncodingError.self) {
      try tree { encoder in
        _ = encoder.container(keyedBy: Key.self)
        _ = encoder.unkeyedContainer()
      }
    }
    #expect(throws: EncodingError.self) {
      try tree { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    // A container that outlives its value's encoding cannot be written to.
    #expect(throws: EncodingError.self) {
      try tree { encoder in
        var outer = encoder.unkeyedContainer()
        var kept: (any UnkeyedEncodingContainer)?
        try outer.encode(Written { kept = $0.unkeyedContainer() })
        try kept?.encode(1)
      }
    }
    #expect(throws: EncodingError.self) {
      try tree { encoder in
        var outer = encoder.unkeyedContainer()
        var same = outer
        try outer.encode(Written { _ in try same.encode(1) })
      }
    }
  }

  @Test func `containers may be nested 64 deep and no deeper`() throws {
    func nested(_ depth: Int) -> CodedTree {
      (0..<depth).reduce(.integer(1)) { inner, level in
        level % 2 == 0 ? .list([inner]) : .object(["a": inner])
      }
    }
    #expect(try coder.roundTrip(nested(64)) == nested(64))
    #expect(throws: EncodingError.self) { try coder.encoded(nested(65)) }
    #expect(throws: EncodingError.self) { try coder.encoded(nested(20_000)) }
    #expect(throws: EncodingError.self) {
      try tree { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 0..<64 { container = container.nestedUnkeyedContainer() }
        try container.encode(1)
      }
    }
    // A keyed container with one entry at a time.
    let keyed = (0..<200).reduce([1]) { inner, _ in
      [0xCA] + length(inner.count + 1) + [1] + inner
    }
    #expect(throws: DecodingError.self) {
      try coder.decoded(CodedTree.self, from: keyed, keys: ["a"])
    }
  }

  private func length(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
  }

  @Test func `coding errors name their path`() throws {
    let value = ["list": [["a": 1], ["a": 300]]]
    do {
      _ = try coder.converted(value, to: [String: [[String: UInt8]]].self)
      Issue.record("300 does not fit")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.codingPath.map(\.stringValue) == ["list", "Index 1", "a"])
      #expect(context.codingPath[1].intValue == 1)
    }
    do {
      let value = Written { throw Path(keys: $0.codingPath.map(\.stringValue)) }
      _ = try coder.encoded(["list": [1: [value]]])
      Issue.record("the value throws")
    } catch let path as Path {
      #expect(path.keys == ["list", "1", "Index 0"])
    }
  }

  @Test func `a decoder that outlives its bytes throws an error`() throws {
    let decoder = coder.makeDecoder(keys: [])
    let (bytes, _) = try coder.encoded([1, 2])
    let kept = try bytes.withUnsafeBytes { try decoder.decode(Kept.self, from: $0) }
    #expect(throws: DecodingError.self) { try kept.decoder.unkeyedContainer() }
    #expect(throws: DecodingError.self) {
      var container = kept.container
      _ = try container.decode(Int.self)
    }
    #expect(kept.container.isAtEnd)
    #expect(kept.decoder.codingPath.isEmpty)
  }

  struct Kept: Decodable {
    let decoder: any Decoder
    let container: any UnkeyedDecodingContainer

    init(from decoder: any Decoder) throws {
      self.decoder = decoder
      container = try decoder.unkeyedContainer()
    }
  }

  @Test func `encoders and decoders see the user info`() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "k"))
    struct Reader: Codable {
      init() {}
      func encode(to encoder: any Encoder) throws { try read(encoder.userInfo).encode(to: encoder) }
      init(from decoder: any Decoder) throws { _ = try read(decoder.userInfo) }
      func read(_ userInfo: [CodingUserInfoKey: Any]) throws -> Int {
        try #require(userInfo.values.first as? Int)
      }
    }
    _ = try CompactCoder(userInfo: [key: 1]).roundTrip(Reader())
  }
}
