/// Decodes records from the compact form, one after another.
final class CompactRecordDecoder: RecordDecoder {
  private let reader: CompactReader
  private var isBusy = false

  init(keys: [String], userInfo: [CodingUserInfoKey: any Sendable]) {
    reader = CompactReader(keys: keys, userInfo: userInfo)
  }

  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
  {
    guard !isBusy else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "the decoder is decoding another value"))
    }
    isBusy = true
    defer { isBusy = false }
    return try reader.decode(type, from: bytes)
  }
}
