extension KinshipError {
  /// A wrong declaration of a record type, of a cache, or of a store.
  public enum InvalidSchema: Sendable {
    /// Two record types of one schema have the same name, or one type is listed twice.
    case duplicateType(name: String, String, String)
    /// A relationship leads to a type that is not in the schema.
    case unknownTarget(type: String, relationship: String, target: String)
    /// A property is listed twice among the relationships of a type.
    case duplicateRelationship(type: String, relationship: String)
    /// A stored property holds refs and is not among the relationships of its type: declare it as
    /// one, or as ``RelationshipDeclaration/ignored(_:)``.
    ///
    /// Plans would not follow it, and its refs would dangle. The check does not look into enums and
    /// objects, and finds nothing on Apple platforms, whose standard library does not report what a
    /// type stores.
    case undeclaredRelationship(type: String, property: String)
    /// A relationship's delete rule removes its ref when the target is deleted, but the property
    /// requires a ref, or cannot be set.
    case cannotNullify(type: String, relationship: String)
    /// An inverse is not a relationship back to the type, cannot be set, or is the inverse of
    /// another.
    case unsuitableInverse(type: String, relationship: String)
    /// A record type is not in the cache's schema.
    case unknownType(String)
    /// A plan follows a property that is not among the relationships of its type.
    case unknownRelationship(type: String, property: String)
    /// An id of a type is not equal to itself, as NaN is not, or its hash changes: it could not be
    /// found again.
    case unstableID(type: String)
    /// A database store was opened without a table for a record type.
    case noTable(type: String, store: String)
    /// A backing store has no translator for a record type.
    case noTranslator(type: String)
    /// A backing store has two translators for one record type.
    case duplicateTranslator(type: String)
    /// A record type or its ids are not `Codable`, so that they cannot be written to files.
    case notCodable(type: String)
    /// A file has records of an old version of their type, and there is no step from it to the
    /// next.
    case noMigration(type: String, from: Int)
  }
}

extension KinshipError.InvalidSchema: CustomStringConvertible {
  /// The mistake in a sentence.
  public var description: String {
    switch self {
    case .duplicateType(let name, let first, let second):
      first == second
        ? "The record type \(Self.shown(first)) is listed twice. List it once in the cache or the "
          + "store."
        : "The record types \(Self.shown(first)) and \(Self.shown(second)) have the same name, "
          + "“\(name)”. Give one of them another `recordName`."
    case .unknownTarget(let type, let relationship, let target):
      "\(type).\(relationship) leads to \(target), which is not in the schema. Add \(target) to "
        + "the types of the cache, or declare .ignored(\\.\(relationship))."
    case .duplicateRelationship(let type, let relationship):
      "\(type).\(relationship) is listed twice among the relationships of \(type). List it once."
    case .undeclaredRelationship(let type, let property):
      "\(type).\(property) holds refs and is not declared. Add .toOne, .toMany or "
        + ".ignored(\\.\(property)) to `static let relationships: Relationships<\(type)>`."
    case .cannotNullify(let type, let relationship):
      "\(type).\(relationship) cannot be set to nil when its target is deleted, because it is not "
        + "optional or not a `var`. Make it both, or choose onTargetDelete: .cascade, .deny or "
        + ".none."
    case .unsuitableInverse(let type, let relationship):
      "The inverse of \(type).\(relationship) does not fit. It must be a declared relationship "
        + "back to \(type), both must be a `var`, and neither may be the inverse of another."
    case .unstableID(let type):
      "An id of \(type) is not equal to itself, as NaN, or its hash changes. Use an id with a "
        + "stable `==` and `hash(into:)`."
    case .noTable(let type, let store):
      "\(store) has no table for \(type). Pass one when you open the store: "
        + "SQLTable<\(type)>(\"…\")."
    case .noTranslator(let type):
      "The store has no translator for \(type). Pass one when you create the store."
    case .duplicateTranslator(let type):
      "The store has two translators for \(type). Pass one of them only."
    case .notCodable(let type):
      "\(type) cannot be stored, because it or its id is not Codable. Declare both as Codable."
    case .noMigration(let type, let version):
      "The file has records of version \(version) of \(type), and no migration leads from it to "
        + "version \(version + 1). Add that step to `Migrations`."
    case .unknownType(let type):
      "The record type \(type) is not in the schema. Add \(type).self to the types of the cache or "
        + "the store."
    case .unknownRelationship(let type, let property):
      "\(property) is not among the relationships of \(type). Declare it in "
        + "`static let relationships`."
    }
  }

  /// The name of a type without the address of a private context.
  private static func shown(_ type: String) -> String {
    type.replacing(/\(unknown context at [^)]*\)\.?/, with: "")
  }
}
