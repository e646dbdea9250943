import Foundation
import Kinship
import Testing

extension DocumentationExamples {
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
