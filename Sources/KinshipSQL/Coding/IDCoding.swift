#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The conversion of ids of any type to and from the value of one column.
@usableFromInline
package enum IDCoding {
  /// Returns the stored value of an id; in specialised code, the first type checks cost nothing.
  @inlinable
  package static func value<ID: Hashable & Sendable>(
    of id: ID, _ formats: SQLFormats
  ) throws -> SQLValue {
    if let id = id as? Int { return .integer(Int64(id)) }
    if let id = id as? String { return .text(id) }
    return try other(id, formats)
  }

  @inlinable
  package static func values<ID: Hashable & Sendable>(
    of ids: ArraySlice<ID>, _ formats: SQLFormats
  ) throws -> [SQLValue] {
    try ids.map { try value(of: $0, formats) }
  }

  @usableFromInline
  package static func other<ID: Hashable & Sendable>(
    _ id: ID, _ formats: SQLFormats
  ) throws -> SQLValue {
    if let id = id as? UUID { return formats.value(of: id) }
    if let id = id as? any SQLConvertible { return try id.sqlValue }
    guard let id = id as? any Encodable else {
      throw SQLMappingError.notStorable(
        "the id \(ID.self) is neither SQLConvertible nor Codable; declare it as one")
    }
    return try ValueEncoder.value(of: id, formats)
  }

  @inlinable
  package static func id<ID: Hashable & Sendable>(
    _ type: ID.Type, from value: SQLValue, _ formats: SQLFormats
  ) throws -> ID {
    switch value {
    case .integer(let integer):
      if let id = Int(integer) as? ID { return id }
    case .text(let text):
      if let id = text as? ID { return id }
    default: break
    }
    return try other(type, from: value, formats)
  }

  @usableFromInline
  package static func other<ID: Hashable & Sendable>(
    _ type: ID.Type, from value: SQLValue, _ formats: SQLFormats
  ) throws -> ID {
    if let type = type as? any SQLConvertible.Type,
      let id = type.init(sqlValue: value) as? ID
    {
      return id
    }
    if let type = type as? any Decodable.Type,
      let id = try ValueDecoder.decode(type, from: value, formats) as? ID
    {
      return id
    }
    throw SQLMappingError.notStorable(
      "the stored value is not an id of type \(ID.self); correct it")
  }
}
