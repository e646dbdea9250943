/// A format for records in files, with a name, based on `Codable`.
///
/// Use ``JSONCoder`` for files that others read, and ``CompactCoder`` for speed.
///
/// ```swift
/// try await cache.snapshot(to: url, coder: .json)
/// ```
///
/// A file contains the name of its coder, so you need not name it to read the file. If the coder is
/// your own, pass it to the reader.
public protocol RecordCoder: Sendable {
  /// The name of the coder in files: up to 64 bytes of UTF-8.
  var name: String { get }

  /// Makes an encoder.
  ///
  /// - Parameter keys: The ``RecordEncoder/keys`` of an earlier encoder, to continue from.
  /// - Returns: The encoder, for one task at a time.
  func makeEncoder(keys: [String]) -> any RecordEncoder

  /// Makes a decoder.
  ///
  /// - Parameter keys: The ``RecordEncoder/keys`` of the encoder that wrote the bytes.
  /// - Returns: The decoder, for one task at a time.
  func makeDecoder(keys: [String]) -> any RecordDecoder
}

/// Encodes records, one after another.
public protocol RecordEncoder: AnyObject {
  /// Strings that the encoded bytes refer to by position, most often names of properties.
  ///
  /// The list only grows. A file stores it with the records.
  var keys: [String] { get }

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bytes: The buffer to append to; unchanged if encoding fails.
  /// - Throws: The errors of the value, and `EncodingError`.
  /// - Complexity: O(*n*) in the value.
  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws
}

/// Decodes records, one after another.
public protocol RecordDecoder: AnyObject {
  /// Decodes a value that occupies all of the bytes.
  ///
  /// The bytes may be invalid in any way: the decoder must throw then, and never trap.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - bytes: Its bytes.
  /// - Returns: The value.
  /// - Throws: The errors of the value, and `DecodingError`.
  /// - Complexity: O(*n*) in the bytes.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
}
