/// The declaration of a property that holds refs: an element of ``Relationships``.
///
/// ```swift
/// static let relationships: Relationships<Message> = [
///   .toOne(\.author), .toMany(\.replies, onDelete: .cascade), .ignored(\.readBy),
/// ]
/// ```
///
/// It is a type of its own, and not a ``RecordRelationship``, so that an array of relationships
/// instead of `Relationships` does not compile: Kinship would not read it.
public struct RelationshipDeclaration<Source: GraphRecord>: Sendable {
  /// Several if a property refers to records of several types; none if it is ignored.
  let relationships: [RecordRelationship<Source>]
  private(set) var ignored: (any PartialKeyPath<Source> & Sendable)?

  @usableFromInline
  init(_ relationship: RecordRelationship<Source>) { relationships = [relationship] }

  init(_ relationships: [RecordRelationship<Source>]) { self.relationships = relationships }

  /// Declares a property that holds refs and is no relationship.
  ///
  /// No plan follows it, and no delete rule or inverse applies to it: you resolve the refs
  /// yourself.
  ///
  /// It is the only possible declaration for other properties with refs in them, such as a set or a
  /// dictionary of refs, or a struct with some.
  ///
  /// - Parameter keyPath: The property.
  /// - Returns: The declaration.
  public static func ignored(_ keyPath: any PartialKeyPath<Source> & Sendable) -> Self {
    var declaration = Self([])
    declaration.ignored = keyPath
    return declaration
  }
}
