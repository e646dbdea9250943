import Foundation
import Kinship
import Testing

extension DocumentationExamples {
  @Test func compactForm() throws {
    let encoder = CompactCoder.compact.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(["year": 1819], into: &bytes)
    // bytes are CA 03 01 47 1B, and encoder.keys are ["year"]

    #expect(bytes == [0xCA, 0x03, 0x01, 0x47, 0x1B])
    #expect(encoder.keys == ["year"])
  }

  @Test func coders() throws {
    let coder = JSONCoder {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return encoder
    } decoder: {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return decoder
    }
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(try coder.roundTrip([date]) == [date])
    #expect(try coder.encoded([date]).bytes == Array(#"["2001-01-01T00:00:00Z"]"#.utf8))
  }
}
