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
/// `Decimal.nan` and relative URLs cannot be encoded at all: store a URL's `absoluteURL`.
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
