/// The declared edges of a record type, written as an array literal.
///
/// It also carries the code that handles values of the type in the cache: the literal is written
/// in the module that declares the type, where the compiler can specialise what reads and loads them.
public struct Relationships<Source: GraphRecord>: Sendable, ExpressibleByArrayLiteral {
  @usableFromInline let elements: [RecordRelationship<Source>]
  /// The properties that hold refs and are no relationships.
  @usableFromInline let ignored: [any PartialKeyPath<Source> & Sendable]
  @usableFromInline let operations: TableOperations
  /// What a transaction has changed of the type with a number; nothing for nothing.
  @usableFromInline let changes: @Sendable (Staging, Int) -> (any ErasedChanges)?

  /// The changes that a table holds.
  @usableFromInline let build: @Sendable (StagedTable<Source>) -> TypedChanges<Source>

  /// Makes changes of the type with a number in what a transaction has staged.
  @usableFromInline let apply: Apply
  /// The changes that take changes of the type back.
  @usableFromInline
  let invert: @Sendable (any ErasedChanges) throws(KinshipError) -> any ErasedChanges

  @usableFromInline typealias Apply =
    @Sendable (any ErasedChanges, Staging, Int, borrowing IdentityMap) throws(KinshipError) ->
    UnknownRecords?

  /// Creates the list of edges.
  ///
  /// - Parameter elements: The relationships, each property at most once, and what else holds refs.
  @inlinable
  public init(arrayLiteral elements: RelationshipDeclaration<Source>...) {
    self.init(elements, TableOperations(of: Source.self))
  }

  @usableFromInline
  init(_ elements: [RelationshipDeclaration<Source>], _ operations: TableOperations) {
    (self.elements, ignored) = RelationshipDeclaration.parts(of: elements)
    self.operations = operations
    changes = { staging, number in
      let table = staging.table(number, of: Source.self)
      let count = table.values.withLock { $0.changeCount }
      return count == 0 ? nil : StagedChanges(table, count: count)
    }
    build = { table in table.values.withLock { TypedChanges<Source>($0) } }
    apply = { changes, staging, number, map throws(KinshipError) in
      guard let changes = changes.built as? TypedChanges<Source> else { return nil }
      return try staging.table(number, of: Source.self).change(in: staging) {
        values throws(KinshipError) in
        try changes.apply(to: &values, map)
      }
    }
    invert = { changes throws(KinshipError) in
      try (changes.built as? TypedChanges<Source>)?.inverse() ?? changes
    }
  }
}
