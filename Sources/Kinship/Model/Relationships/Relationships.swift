/// The declared edges of a record type, written as an array literal.
///
/// It also carries the code that handles values of the type in the cache: the literal is in the
/// module that declares the type, where the compiler can specialise the code that reads and loads
/// them.
public struct Relationships<Source: GraphRecord>: Sendable, ExpressibleByArrayLiteral {
  private let contents: Contents

  /// One reference: each copy is made where a record type is declared.
  private final class Contents: Sendable {
    let elements: [RecordRelationship<Source>]
    let ignored: [any PartialKeyPath<Source> & Sendable]
    let operations: RecordOperations

    init(_ elements: [RelationshipDeclaration<Source>], _ operations: RecordOperations) {
      self.elements = elements.flatMap { $0.relationships }
      ignored = elements.compactMap { $0.ignored }
      self.operations = operations
    }
  }

  package var elements: [RecordRelationship<Source>] { contents.elements }
  /// The properties that hold refs and are no relationships.
  var ignored: [any PartialKeyPath<Source> & Sendable] { contents.ignored }
  var operations: RecordOperations { contents.operations }

  /// Creates the list of edges.
  ///
  /// - Parameter elements: The relationships, each property at most once, and the ignored
  ///   properties that hold refs.
  @inlinable
  public init(arrayLiteral elements: RelationshipDeclaration<Source>...) {
    self.init(elements, RecordOperations(of: Source.self))
  }

  @usableFromInline
  @inline(never)  // Inlined, it would be code for each closure in each type.
  init(_ elements: [RelationshipDeclaration<Source>], _ operations: RecordOperations) {
    var operations = operations
    if !Source.indexes.isEmpty || Source.self is any Versioned.Type { operations.update = nil }
    contents = Contents(elements, operations)
  }
}
