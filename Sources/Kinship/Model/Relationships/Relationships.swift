/// The declared edges of a record type, written as an array literal.
///
/// It also carries the code that handles values of the type in the cache: the literal is written in
/// the module that declares the type, where the compiler can specialise what reads and loads them.
public struct Relationships<Source: GraphRecord>: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline let elements: [RecordRelationship<Source>]
  /// The properties that hold refs and are no relationships.
  @usableFromInline let ignored: [any PartialKeyPath<Source> & Sendable]
  @usableFromInline let tableOperations: TableOperations
  @usableFromInline let operations: RecordOperations

  /// Creates the list of edges.
  ///
  /// - Parameter elements: The relationships, each property at most once, and what else holds refs.
  @inlinable
  public init(arrayLiteral elements: RelationshipDeclaration<Source>...) {
    self.init(elements, TableOperations(of: Source.self), RecordOperations(of: Source.self))
  }

  @usableFromInline
  init(
    _ elements: [RelationshipDeclaration<Source>], _ tableOperations: TableOperations,
    _ operations: RecordOperations
  ) {
    (self.elements, ignored) = RelationshipDeclaration.parts(of: elements)
    self.tableOperations = tableOperations
    self.operations = operations
  }
}
