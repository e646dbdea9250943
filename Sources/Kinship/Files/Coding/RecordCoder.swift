/// How records are encoded in files: a form of Foundation's `Codable`, by name.
///
/// ``JSONCoder`` is for others to read, ``CompactCoder`` for speed.
///
/// ```swift
/// try await cache.snapshot(to: url, coder: .json)
/// ```
///
/// A file carries the name of its coder, so that reading one needs no other word. A coder of your
/// own must be handed to whoever reads what it wrote.
public protocol RecordCoder: Sendable {
  /// The name that files carry: up to 64 bytes of UTF-8.
  var name: String { get }

  /// Makes an encoder.
  ///
  /// - Parameter keys: What an earlier encoder's ``RecordEncoder/keys`` were, to go on from.
  /// - Returns: The encoder, for one task at a time.
  func makeEncoder(keys: [String]) -> any RecordEncoder

  /// Makes a decoder.
  ///
  /// - Parameter keys: The ``RecordEncoder/keys`` of the encoder that has encoded what is to be
  ///   decoded.
  /// - Returns: The decoder, for one task at a time.
  func makeDecoder(keys: [String]) -> any RecordDecoder
}

/// What encodes records, one after another.
public protocol RecordEncoder: AnyObject {
  /// Strings that the bytes written so far refer to by their position, most often names of
  /// properties.
  ///
  /// It only ever grows; a file keeps it beside the records.
  var keys: [String] { get }

  /// Encodes a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - bytes: Where its bytes are appended; as they were if encoding fails.
  /// - Throws: What the value throws, and `EncodingError`.
  /// - Complexity: O(*n*) in the value.
  func encode<Value: Encodable>(_ value: Value, into bytes: inout [UInt8]) throws
}

/// What decodes records, one after another.
public protocol RecordDecoder: AnyObject {
  /// Decodes a value from all of some bytes.
  ///
  /// The bytes may be anything: what is wrong with them must be thrown, never trapped on.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - bytes: Its bytes.
  /// - Returns: The value.
  /// - Throws: What the value throws, and `DecodingError`.
  /// - Complexity: O(*n*) in the bytes.
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws
    -> Value
}
