#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes records as JSON, for files that others read.
///
/// It uses Foundation's encoder and decoder, which you can configure:
///
/// ```swift
/// let coder = JSONCoder {
///   let encoder = JSONEncoder()
///   encoder.dateEncodingStrategy = .iso8601
///   return encoder
/// } decoder: {
///   let decoder = JSONDecoder()
///   decoder.dateDecodingStrategy = .iso8601
///   return decoder
/// }
/// ```
///
/// The decoded bytes must be strict JSON in UTF-8. Whatever the decoder allows, JSON5 is refused,
/// and so are objects with duplicate keys and containers nested more than 64 deep. A floating-point
/// number that is not finite can be encoded only if the encoder has a strategy for it.
/// `Decimal.nan`, relative URLs and containers nested more than 64 deep cannot be encoded at all:
/// store a URL's `absoluteURL`.
public struct JSONCoder: RecordCoder {
  private let newEncoder: @Sendable () -> JSONEncoder
  private let newDecoder: @Sendable () -> JSONDecoder

  /// The name of the coder in files: `json`.
  public var name: String { "json" }

  /// Creates a coder.
  ///
  /// - Parameters:
  ///   - encoder: Makes an encoder. The default one sorts the keys, so that equal records have
  ///     equal bytes.
  ///   - decoder: Makes a decoder for the output of such an encoder.
  public init(
    encoder: @escaping @Sendable () -> JSONEncoder = {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return encoder
    },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    newEncoder = encoder
    newDecoder = decoder
  }

  /// Makes an encoder.
  ///
  /// - Parameter keys: The keys of an earlier encoder: none for JSON.
  /// - Returns: The encoder, for one task at a time.
  public func makeEncoder(keys: [String]) -> any RecordEncoder {
    JSONRecordEncoder(newEncoder(), keys: keys)
  }

  /// Makes a decoder.
  ///
  /// - Parameter keys: The keys of the encoder, which are ignored.
  /// - Returns: The decoder, for one task at a time.
  public func makeDecoder(keys: [String]) -> any RecordDecoder {
    JSONRecordDecoder(newDecoder())
  }
}

extension RecordCoder where Self == JSONCoder {
  /// JSON with sorted keys, by Foundation's encoder and decoder.
  public static var json: JSONCoder { JSONCoder() }
}

/// Encodes records as JSON, one after another.
final class JSONRecordEncoder: RecordEncoder {
  private let encoder: JSONEncoder
  private let finder: CompactRecordEncoder
  let keys: [String]

  init(_ encoder: JSONEncoder, keys: [String]) {
    self.encoder = encoder
    finder = CompactRecordEncoder(refusingRelativeURLs: encoder.userInfo)
    self.keys = keys
  }

  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws {
    try encoder.checkedData(of: value, finder).withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

private struct Anything: Decodable {
  init(from decoder: any Decoder) {}
}

extension JSONEncoder {
  /// Encodes a value, and refuses values that Foundation encodes but does not decode to the same
  /// value: `Decimal.nan` and relative URLs.
  package func checkedData<Value: Encodable>(of value: Value) throws -> Data {
    try checkedData(of: value, CompactRecordEncoder(refusingRelativeURLs: userInfo))
  }

  /// The compact encoder finds relative URLs: this one merges a URL with its base, and never calls
  /// its `encode(to:)`.
  fileprivate func checkedData<Value: Encodable>(
    of value: Value, _ finder: CompactRecordEncoder
  ) throws -> Data {
    let data = try encode(value)
    var compact: [UInt8] = []
    try finder.encode(value, into: &compact)
    let name = Decimal.nan.description
    guard data.firstRange(of: name.utf8) != nil else { return data }
    do {
      _ = try JSONDecoder().decode(Anything.self, from: data)
      return data
    } catch {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: "JSON has no \(name).", underlyingError: error))
    }
  }
}

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
