#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decodes records from JSON, one after another.
final class JSONRecordDecoder: RecordDecoder {
  private let decoder: JSONDecoder

  init(_ decoder: JSONDecoder) {
    self.decoder = decoder
    // Bytes from a file must be strict JSON: with JSON5, some can end the process.
    decoder.allowsJSON5 = false
    decoder.assumesTopLevelDictionary = false
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
  {
    var scanner = JSONScanner()
    try scanner.scan(bytes)
    return try decoder.decode(type, from: Data(bytes))
  }
}
