import Foundation
import Kinship
import Testing

@testable import KinshipTrials

/// Tests of the rules of the JSON form beyond Foundation's coders.
struct JSONCoderTests {
  private let coder = JSONCoder()

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try coder.decoded(type, from: Array(text.utf8))
  }

  @Test func `equal values have equal JSON bytes`() throws {
    let value = ["b": 1, "a": 2, "c/d": 3]
    #expect(try coder.encoded(value).bytes == Array(#"{"a":2,"b":1,"c/d":3}"#.utf8))
  }

  @Test func `the decoder accepts only strict JSON`() throws {
    let lenient = JSONCoder(decoder: {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      decoder.assumesTopLevelDictionary = true
      return decoder
    })
    for text in ["{a: 1}", "// x\n[1]", "'a'", "0x10", #""a": 1"#, "", "[1", "[1]]"] {
      #expect(throws: DecodingError.self, "\(text)") {
        try lenient.decoded(CodedTree.self, from: Array(text.utf8))
      }
    }
  }

  @Test func `JSON may be nested 64 deep and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try decode(CodedTree.self, nested(64)) != .null)
    #expect(throws: DecodingError.self) { try decode(CodedTree.self, nested(65)) }
    #expect(throws: DecodingError.self) { try decode(CodedTree.self, nested(1_000_000)) }
    // Brackets in strings do not count, whatever precedes their quotation marks.
    let text = #""\"\\\#(String(repeating: "[{", count: 100))""#
    #expect(try decode([String].self, "[\(text)]").count == 1)
    // In UTF-16 they would not be noticed.
    let wide = Array(nested(65).utf8).flatMap { [$0, 0] as [UInt8] }
    #expect(throws: DecodingError.self) { try coder.decoded(CodedTree.self, from: wide) }
  }

  @Test func `duplicate keys in JSON are an error`() throws {
    for text in [
      #"{"a":1,"a":2}"#, #"[{"b":1,"a":{"a":[1,2]},"b":2}]"#, #"{"a":1,"\u0061":2}"#,
      #"{"é":1,"\#u{65}\#u{301}":2}"#, #"{"a\"":1 , "b" : 2, "a\"" : 3}"#,
      "{\((0..<40).map { "\"\($0)\":1" }.joined(separator: ",")),\"7\":2}",
    ] {
      #expect(throws: DecodingError.self, "\(text)") { try decode(CodedTree.self, text) }
    }
    for text in [
      #"[{"a":1},{"a":2}]"#, #"{"a":{"a":{"a":1}},"b":"a","c":["b","b","c"]}"#,
      #"{"a":1,"A":2,"\u0062":3}"#, #"{"":1," ":2}"#,
      "{\((0..<40).map { "\"\($0)\":1" }.joined(separator: ","))}",
    ] {
      #expect(throws: Never.self, "\(text)") { try decode(CodedTree.self, text) }
    }
  }

  @Test func `numbers in JSON must be finite`() throws {
    #expect(throws: EncodingError.self) { try coder.encoded([Double.nan]) }
    let lenient = JSONCoder {
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "+", negativeInfinity: "-", nan: "?")
      return encoder
    }
    #expect(try lenient.encoded([Double.nan]).bytes == Array(#"["?"]"#.utf8))
    #expect(throws: EncodingError.self) { try coder.encoded([Decimal.nan]) }
    #expect(try coder.roundTrip(["NaN", "a\"NaN"]) == ["NaN", "a\"NaN"])
  }

  @Test func `a URL relative to another is rejected anywhere in a value`() throws {
    struct Page: Codable {
      var link: URL?
      var links: [URL] = []
      var named: [String: URL] = [:]
      var parts: [Page] = []
      var count: Int128 = 1
    }
    enum Link: Codable { case to(URL), none }
    let base = try #require(URL(string: "https://example.org/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    func pages(_ url: URL) -> [Page] {
      let pages = [Page(link: url), Page(links: [base, url]), Page(named: ["a": url])]
      return pages + [Page(parts: [Page(), Page(parts: [Page(link: url)])])]
    }
    for page in pages(url) {
      #expect(throws: EncodingError.self, "\(page)") { try coder.encoded(page) }
    }
    for page in pages(url.absoluteURL) {
      #expect(throws: Never.self, "\(page)") { try coder.encoded(page) }
    }
    #expect(throws: EncodingError.self) { try coder.encoded(url) }
    #expect(throws: EncodingError.self) { try coder.encoded([Link.none, .to(url)]) }
    #expect(try coder.roundTrip([url.absoluteURL, base]) == [url.absoluteURL, base])
    do {
      _ = try coder.encoded([url])
      Issue.record("the URL was encoded")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.debugDescription.contains("store its `absoluteURL`"))
    }
  }

  @Test func `a failed encoding leaves the bytes unchanged`() throws {
    let encoder = coder.makeEncoder(keys: [])
    var bytes: [UInt8] = [7]
    #expect(throws: EncodingError.self) { try encoder.encode([Double.nan], into: &bytes) }
    #expect(bytes == [7])
    #expect(encoder.keys == [])
  }
}
