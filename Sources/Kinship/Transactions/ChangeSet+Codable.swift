extension CodingUserInfoKey {
  /// The key under which a decoder must have the ``GraphSchema`` with the types of a ``ChangeSet``.
  public static let kinshipSchema = CodingUserInfoKey(uncheckedRawValue: "kinship.schema")
}

extension CodingUserInfoKey {
  fileprivate init(uncheckedRawValue name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("a key may have any name")
    }
    self = key
  }
}

extension ChangeSet: Codable {
  /// Encodes the changes by the names of the types, with the old and new values of all records.
  ///
  /// The list of properties that were set is lost: after decoding, all differences between the old
  /// and new values of an updated record count as changed.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: `KinshipError.invalidSchema(.notCodable)` if a record is not `Encodable`,
  ///   `.misuse(.notInvertible)` if one was updated without having been in memory, and the errors
  ///   of encoding a record.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for type in types { try type.encode(to: container.superEncoder()) }
  }

  /// Decodes changes; the decoder's `userInfo` must have the schema under
  /// `CodingUserInfoKey.kinshipSchema`.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if there is no schema or the data is not a change set,
  ///   `KinshipError.invalidSchema(.unknownType)` for a type that is not in the schema, and
  ///   `.invalidSchema(.notCodable)` for one that is not `Decodable`.
  public init(from decoder: any Decoder) throws {
    guard let schema = decoder.userInfo[.kinshipSchema] as? GraphSchema else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "The decoder's userInfo has no GraphSchema under .kinshipSchema."))
    }
    var container = try decoder.unkeyedContainer()
    var types: [any ErasedEdits] = []
    while !container.isAtEnd {
      let element = try container.superDecoder()
      let keyed = try element.container(keyedBy: RecordEditsKey.self)
      let name = try keyed.decode(String.self, forKey: .type)
      guard let type = schema.types.first(where: { $0.recordName == name }) else {
        throw KinshipError.invalidSchema(.unknownType(name))
      }
      types.append(try Self.decode(type, from: keyed))
    }
    self.init(types: types)
  }

  private static func decode<R: GraphRecord>(
    _ type: R.Type, from container: KeyedDecodingContainer<RecordEditsKey>
  ) throws -> any ErasedEdits {
    guard let decodable = type as? any (GraphRecord & Decodable).Type else {
      throw KinshipError.invalidSchema(.notCodable(type: R.recordName))
    }
    return try decodable.decodeEdits(from: container)
  }
}
