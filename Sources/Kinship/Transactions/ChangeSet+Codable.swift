extension CodingUserInfoKey {
  /// Under this key a decoder must be given the ``GraphSchema`` whose types a ``ChangeSet`` names.
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
  /// The changes of one type, as they are written.
  struct CodedChanges: Encodable {
    enum Key: String, CodingKey { case type, inserted, updated, deleted }

    let changes: any ErasedEdits

    func encode(to encoder: any Encoder) throws { try changes.encode(to: encoder) }
  }

  /// Encodes the changes by the names of the types, with all records as they were and are.
  ///
  /// Which properties were set is not kept: decoded, what differs between an updated record as it was and as
  /// it is has changed.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: `KinshipError.notCodable` if a record is not `Encodable`, `.notInvertible` if one was updated
  ///   without having been in memory, and what encoding a record throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for type in types { try container.encode(CodedChanges(changes: type)) }
  }

  /// Decodes changes; the decoder's `userInfo` must have the schema under
  /// `CodingUserInfoKey.kinshipSchema`.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if there is no schema or the data is not a change set, `KinshipError.unknownType`
  ///   for a type that is not in the schema, and `.notCodable` for one that is not `Decodable`.
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
      let keyed = try element.container(keyedBy: CodedChanges.Key.self)
      let name = try keyed.decode(String.self, forKey: .type)
      guard let type = schema.types.first(where: { $0.recordName == name }) else {
        throw KinshipError.unknownType(name)
      }
      types.append(try Self.decode(type, from: keyed))
    }
    self.init(types: types)
  }

  private static func decode<R: GraphRecord>(
    _ type: R.Type, from container: KeyedDecodingContainer<CodedChanges.Key>
  ) throws -> any ErasedEdits {
    guard let decodable = type as? any (GraphRecord & Decodable).Type else {
      throw KinshipError.notCodable(type: R.recordName)
    }
    return try decodable.decodeChanges(from: container)
  }
}

extension RecordEdits {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ChangeSet.CodedChanges.Key.self)
    try container.encode(R.recordName, forKey: .type)
    var inserted = container.nestedUnkeyedContainer(forKey: .inserted)
    for record in self.inserted { try inserted.encode(Self.encodable(record)) }
    var updated = container.nestedUnkeyedContainer(forKey: .updated)
    for change in self.updated {
      guard let old = change.old, let new = change.new else {
        throw KinshipError.notInvertible(AnyRef(change.ref))
      }
      var pair = updated.nestedUnkeyedContainer()
      try pair.encode(Self.encodable(old))
      try pair.encode(Self.encodable(new))
    }
    var deleted = container.nestedUnkeyedContainer(forKey: .deleted)
    for record in self.deleted { try deleted.encode(Self.encodable(record)) }
  }

  private static func encodable(_ record: R) throws(KinshipError) -> any Encodable {
    guard let encodable = record as? any Encodable else { throw .notCodable(type: R.recordName) }
    return encodable
  }
}

extension GraphRecord where Self: Decodable {
  fileprivate static func decodeChanges(
    from container: KeyedDecodingContainer<ChangeSet.CodedChanges.Key>
  ) throws -> any ErasedEdits {
    var changes = RecordEdits<Self>()
    changes.inserted = try container.decode([Self].self, forKey: .inserted)
    for pair in try container.decode([[Self]].self, forKey: .updated) {
      guard pair.count == 2, pair[0].id == pair[1].id else {
        throw DecodingError.dataCorruptedError(
          forKey: .updated, in: container,
          debugDescription: "An update is a record as it was and as it is.")
      }
      changes.updated.append(
        UpdatedRecord(pair[1].ref, old: pair[0], new: pair[1], properties: nil))
    }
    changes.deleted = try container.decode([Self].self, forKey: .deleted)
    return TypeEdits(changes)
  }
}
