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
  private enum Content: Sendable {
    /// Several relationships, if a property refers to records of several types.
    case relationships([RecordRelationship<Source>])
    case ignored(any PartialKeyPath<Source> & Sendable)
  }

  private let content: Content

  @usableFromInline
  init(_ relationship: RecordRelationship<Source>) { content = .relationships([relationship]) }

  init(_ relationships: [RecordRelationship<Source>]) { content = .relationships(relationships) }

  @usableFromInline
  init(ignoring keyPath: any PartialKeyPath<Source> & Sendable) { content = .ignored(keyPath) }

  /// The relationships among declarations, and the properties that are none.
  @usableFromInline
  static func parts(
    of declarations: [Self]
  ) -> ([RecordRelationship<Source>], [any PartialKeyPath<Source> & Sendable]) {
    var relationships: [RecordRelationship<Source>] = []
    var ignored: [any PartialKeyPath<Source> & Sendable] = []
    for declaration in declarations {
      switch declaration.content {
      case .relationships(let some): relationships += some
      case .ignored(let keyPath): ignored.append(keyPath)
      }
    }
    return (relationships, ignored)
  }

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
    Self(ignoring: keyPath)
  }
}
