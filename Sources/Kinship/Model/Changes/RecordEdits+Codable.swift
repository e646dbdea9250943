/// The keys under which the edits of a type are encoded.
enum RecordEditsKey: String, CodingKey { case type, inserted, updated, deleted }

extension RecordEdits {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordEditsKey.self)
    try container.encode(R.recordName, forKey: .type)
    var inserted = container.nestedUnkeyedContainer(forKey: .inserted)
    for record in self.inserted { try inserted.encode(Self.encodable(record)) }
    var updated = container.nestedUnkeyedContainer(forKey: .updated)
    for change in self.updated {
      guard let old = change.old, let new = change.new else {
        throw KinshipError.misuse(.notInvertible(AnyRef(change.ref)))
      }
      var pair = updated.nestedUnkeyedContainer()
      try pair.encode(Self.encodable(old))
      try pair.encode(Self.encodable(new))
    }
    var deleted = container.nestedUnkeyedContainer(forKey: .deleted)
    for record in self.deleted { try deleted.encode(Self.encodable(record)) }
  }

  private static func encodable(_ record: R) throws(KinshipError) -> any Encodable {
    guard let encodable = record as? any Encodable else {
      throw .invalidSchema(.notCodable(type: R.recordName))
    }
    return encodable
  }
}

extension GraphRecord where Self: Decodable {
  static func decodeEdits(
    from container: KeyedDecodingContainer<RecordEditsKey>
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
