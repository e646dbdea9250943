private enum ChoiceKey: String, CodingKey {
  case type, id
}

extension RefChoice where Self: Encodable {
  /// Encodes the name of the type and the id.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: `KinshipError.invalidSchema(.notCodable)` if ids of the type cannot be encoded, and
  ///   the errors of encoding the id.
  public func encode(to encoder: any Encoder) throws {
    let ref = ref
    guard let id = ref.id as? any Encodable else {
      throw KinshipError.invalidSchema(.notCodable(type: ref.typeName))
    }
    var container = encoder.container(keyedBy: ChoiceKey.self)
    try container.encode(ref.typeName, forKey: .type)
    try container.encode(id, forKey: .id)
  }
}

extension RefChoice where Self: Decodable {
  /// Decodes the name of a type and an id.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `KinshipError.invalidSchema(.unknownType)` for the name of no such type,
  ///   `.invalidSchema(.notCodable)` if ids of the type cannot be decoded, and decoding errors.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ChoiceKey.self)
    let name = try container.decode(String.self, forKey: .type)
    guard let type = Self.recordTypes.first(where: { $0.recordName == name }),
      let choice = Self(try type.ref(in: container))
    else { throw KinshipError.invalidSchema(.unknownType(name)) }
    self = choice
  }
}

extension GraphRecord {
  /// The ref to a record of this type that a choice was encoded from.
  fileprivate static func ref(
    in container: KeyedDecodingContainer<ChoiceKey>
  ) throws -> AnyRef {
    guard let type = ID.self as? any Decodable.Type,
      let id = try container.decode(type, forKey: .id) as? ID
    else { throw KinshipError.invalidSchema(.notCodable(type: recordName)) }
    return AnyRef(Ref<Self>(id))
  }
}
