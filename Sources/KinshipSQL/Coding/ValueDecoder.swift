#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
package import Kinship

/// A type that decodes as a bare id, as every ref does.
private protocol BareRef {
  static var isInteger: Bool { get }
}

extension Ref: BareRef {
  fileprivate static var isInteger: Bool { R.ID.self == Int.self }
}

/// Decodes one value of a column.
///
/// It is reused, because a new decoder for each value would cost more than the decoding.
package final class ValueDecoder: Decoder, SingleValueDecodingContainer {
  package var value: SQLValue = .null
  package var codingPath: [any CodingKey] = []
  package var userInfo: [CodingUserInfoKey: Any] { [:] }
  package let formats: SQLFormats

  package init(_ formats: SQLFormats) { self.formats = formats }

  package static func decode<T: Decodable>(
    _ type: T.Type, from value: SQLValue, _ formats: SQLFormats
  ) throws -> T {
    let decoder = ValueDecoder(formats)
    decoder.value = value
    return try decoder.decode(type)
  }

  /// Thrown when a type asks for several parts: it is decoded from JSON.
  private struct HasParts: Error {}

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> { throw HasParts() }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw HasParts() }

  package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  package func decodeNil() -> Bool { value == .null }

  /// The ways to decode values of a type.
  package enum Kind {
    /// Any other type, which decodes by `Codable` alone.
    case plain
    /// A ref whose id is an `Int`, which is all that it stores.
    case integerRef
    case convertible(any SQLConvertible.Type)
    case date
    case uuid
    case url
    case decimal
  }

  package static func kind<T: Decodable>(of type: T.Type) -> Kind {
    switch type {
    case let ref as any BareRef.Type: ref.isInteger ? .integerRef : .plain
    case is Date.Type: .date
    case is UUID.Type: .uuid
    case is URL.Type: .url
    case is Decimal.Type: .decimal
    default: (type as? any SQLConvertible.Type).map { .convertible($0) } ?? .plain
    }
  }

  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if type == Int.self { return try cast(convert(Int.self)) }
    if type == String.self { return try cast(convert(String.self)) }
    return try decode(type, Self.kind(of: type))
  }

  package func decode<T: Decodable>(_ type: T.Type, _ kind: Kind) throws -> T {
    switch kind {
    case .integerRef: return try Self.ref(convert(Int.self), as: type)
    case .plain:
      do {
        return try type.init(from: self)
      } catch is HasParts {
        return try JSONText.decode(type, from: convert(String.self), formats)
      }
    case .date:
      guard let date = formats.date(from: value) else { throw mismatch(type) }
      return try cast(date)
    case .uuid: return try cast(convert(UUID.self))
    case .url:
      guard let url = URL(string: try convert(String.self)) else { throw mismatch(type) }
      return try cast(url)
    case .decimal: return try cast(decimal())
    case .convertible(let convertible):
      // Do not combine the two: for an optional, the absence of a value would become `nil`.
      guard let converted = convertible.init(sqlValue: value), let value = converted as? T else {
        throw mismatch(type)
      }
      return value
    }
  }

  /// Decodes the simple types of the protocol, each of which asks for its own method.
  package func decode<T: Decodable & SQLConvertible>(_ type: T.Type) throws -> T {
    try convert(type)
  }

  private func decimal() throws -> Decimal {
    let decimal: Decimal? =
      switch value {
      case .integer(let integer): Decimal(integer)
      case .real(let real): Decimal(digitsOf: real)
      case .text(let text): Decimal(exactly: text)
      default: nil
      }
    guard let decimal else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath,
          debugDescription: "the column holds no number that a Decimal represents exactly"))
    }
    return decimal
  }

  private func convert<T: SQLConvertible>(_ type: T.Type) throws -> T {
    guard let converted = T(sqlValue: value) else { throw mismatch(type) }
    return converted
  }

  /// Returns a value as its actual type.
  ///
  /// It avoids the optional of a cast, whose metadata takes longer to find than everything else.
  private func cast<Value, T>(_ value: Value) throws -> T {
    guard T.self == Value.self else { throw mismatch(T.self) }
    return withUnsafePointer(to: value) {
      UnsafeRawPointer($0).assumingMemoryBound(to: T.self).pointee
    }
  }

  /// Returns the ref with an id, of a type that `kind(of:)` has found to be a `Ref` with `Int` ids.
  ///
  /// A ref stores only its id, so both have the same bits. This depends on the types that the
  /// program declares, never on the data that is read. If it were wrong, the sizes would differ and
  /// the cast would trap at the first row. A cast through `Any` takes longer than all other steps
  /// of decoding a ref.
  @inline(__always)
  package static func ref<T>(_ id: Int, as type: T.Type) -> T { unsafeBitCast(id, to: type) }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "The column holds \(value.kind.rawValue).",
        underlyingError: WrongKind()))
  }
}

/// The mark of an error for a column that holds another kind of value, to which the row adds the
/// table and the column.
struct WrongKind: Error {}
