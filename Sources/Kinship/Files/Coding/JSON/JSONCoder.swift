#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes records as JSON, which others can read.
///
/// The encoder and the decoder are Foundation's, and can be set up as you like:
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
/// What is decoded must be strict JSON in UTF-8: whatever the decoder is set up to allow, JSON5 is
/// refused, and so are an object in which a key comes twice and containers that lie more than 64
/// deep. A floating-point number that is not finite cannot be encoded, unless the encoder has a
/// strategy for it. `Decimal.nan` cannot be encoded at all, nor can a URL that is relative to
/// another: store its `absoluteURL`.
public struct JSONCoder: RecordCoder {
  private let newEncoder: @Sendable () -> JSONEncoder
  private let newDecoder: @Sendable () -> JSONDecoder

  /// The name that files carry: `json`.
  public var name: String { "json" }

  /// Creates a coder.
  ///
  /// - Parameters:
  ///   - encoder: Makes an encoder. The usual one sorts the keys, so that equal records have equal
  ///     bytes.
  ///   - decoder: Makes a decoder that understands what such an encoder has encoded.
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
  /// - Parameter keys: What an earlier encoder's keys were: there are none in JSON.
  /// - Returns: The encoder, for one task at a time.
  public func makeEncoder(keys: [String]) -> any RecordEncoder {
    JSONRecordEncoder(newEncoder(), keys: keys)
  }

  /// Makes a decoder.
  ///
  /// - Parameter keys: The keys of the encoder, which mean nothing here.
  /// - Returns: The decoder, for one task at a time.
  public func makeDecoder(keys: [String]) -> any RecordDecoder {
    JSONRecordDecoder(newDecoder())
  }
}

extension RecordCoder where Self == JSONCoder {
  /// JSON with sorted keys, as Foundation writes and reads it.
  public static var json: JSONCoder { JSONCoder() }
}
