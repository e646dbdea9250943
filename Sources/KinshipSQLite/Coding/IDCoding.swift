#if SQLite
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Ids of any type as values of one column.
  @usableFromInline
  enum IDCoding {
    /// What is stored for an id: where this is specialised, the first tests cost nothing.
    @inlinable
    static func value<ID: Hashable & Sendable>(
      of id: ID, _ formats: SQLiteFormats
    ) throws -> SQLiteValue {
      if let id = id as? Int { return .integer(Int64(id)) }
      if let id = id as? String { return .text(id) }
      return try other(id, formats)
    }

    /// What is stored for ids.
    @inlinable
    static func values<ID: Hashable & Sendable>(
      of ids: ArraySlice<ID>, _ formats: SQLiteFormats
    ) throws -> [SQLiteValue] {
      var values: [SQLiteValue] = []
      values.reserveCapacity(ids.count)
      for id in ids { values.append(try value(of: id, formats)) }
      return values
    }

    @usableFromInline
    static func other<ID: Hashable & Sendable>(
      _ id: ID, _ formats: SQLiteFormats
    ) throws -> SQLiteValue {
      if let id = id as? UUID {
        return formats.uuids == .text ? id.sqliteValue : id.sqliteBlob
      }
      if let id = id as? any SQLiteConvertible { return try id.sqliteValue }
      guard let id = id as? any Encodable else {
        throw SQLiteError.notStorable("\(ID.self) is neither SQLiteConvertible nor Codable")
      }
      return try ValueEncoder.value(of: id, formats)
    }

    /// The id that is stored.
    @inlinable
    static func id<ID: Hashable & Sendable>(
      _ type: ID.Type, from value: SQLiteValue, _ formats: SQLiteFormats
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
    static func other<ID: Hashable & Sendable>(
      _ type: ID.Type, from value: SQLiteValue, _ formats: SQLiteFormats
    ) throws -> ID {
      if let type = type as? any SQLiteConvertible.Type,
        let id = type.init(sqliteValue: value) as? ID
      {
        return id
      }
      if let type = type as? any Decodable.Type,
        let id = try ValueDecoder.decode(type, from: value, formats) as? ID
      {
        return id
      }
      throw SQLiteError.notStorable("what is stored is no \(ID.self)")
    }
  }
#endif
