/// What a transaction inserted, updated and deleted.
///
/// ```swift
/// let changes = try await cache.write { tx in
///   try tx.update(Ref<Person>(42), \.name, to: "Albert")
/// }
/// for change in changes.updated(Person.self) {
///   show(change.properties?.map(\.name) ?? [], of: change.ref)
/// }
/// ```
///
/// It names each record once, with its net change.
public struct ChangeSet: Sendable {
  /// By the name of the type, in the order of the schema.
  var types: [any ErasedChanges]

  /// Creates a change set without changes.
  public init() { types = [] }

  init(types: [any ErasedChanges]) { self.types = types.filter { !$0.isEmpty } }

  /// Whether nothing has changed.
  public var isEmpty: Bool { types.isEmpty }

  /// The number of records that have changed.
  ///
  /// - Complexity: O(*n*) in the types that have changed.
  public var count: Int { types.reduce(0) { $0 + $1.count } }

  /// The record types that have changed.
  public var recordTypes: [any Record.Type] { types.map { $0.recordType } }

  /// The refs of all records that have changed: by type, those inserted, updated and deleted.
  ///
  /// - Complexity: O(*n*) in the changes.
  public var refs: [AnyRef] { types.flatMap { $0.refs } }

  /// The records of a type that were inserted.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in the order in which the transaction came to them.
  public func inserted<R: Record>(_ type: R.Type) -> [R] { changes(of: type)?.inserted ?? [] }

  /// The records of a type that were updated.
  ///
  /// - Parameter type: The record type.
  /// - Returns: What they were and are, in the order in which the transaction came to them.
  public func updated<R: Record>(_ type: R.Type) -> [UpdatedRecord<R>] {
    changes(of: type)?.updated ?? []
  }

  /// The records of a type that were deleted, as they were.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in the order in which the transaction came to them.
  public func deleted<R: Record>(_ type: R.Type) -> [R] { changes(of: type)?.deleted ?? [] }

  /// The changes that take these back.
  ///
  /// - Throws: `KinshipError.notInvertible` if a record was updated without having been in memory.
  /// - Complexity: O(*n*) in the changes.
  public var inverted: ChangeSet {
    get throws(KinshipError) {
      var inverted: [any ErasedChanges] = []
      for type in types { inverted.append(try type.inverted()) }
      return ChangeSet(types: inverted)
    }
  }

  /// These changes and later ones as one: the net change of each record.
  ///
  /// - Parameter later: Changes that were made after these.
  /// - Returns: The changes of both.
  /// - Complexity: O(*n*) in the changes of both, on average.
  public func merging(_ later: ChangeSet) -> ChangeSet {
    var merged = types
    for changes in later.types {
      if let index = merged.firstIndex(where: { $0.recordType == changes.recordType }) {
        merged[index] = merged[index].merging(changes)
      } else {
        merged.append(changes)
      }
    }
    return ChangeSet(types: merged)
  }

  func changes<R: Record>(of type: R.Type) -> TypedChanges<R>? {
    for changes in types {
      if let changes = changes as? TypedChanges<R> { return changes }
      if let changes = changes as? StagedChanges<R> { return changes.typed }
    }
    return nil
  }
}

extension ChangeSet: CustomStringConvertible {
  /// How many records of which types were inserted, updated and deleted.
  public var description: String {
    if isEmpty { return "no changes" }
    return types.map { $0.summary }.joined(separator: ", ")
  }
}
