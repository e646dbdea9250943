/// The records that a transaction inserted, updated and deleted.
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
/// It names each record once, with its net change. It is `Codable` if the records are.
public struct ChangeSet: Sendable {
  /// By the name of the type, in the order of the schema.
  package var types: [any ErasedEdits]
  /// The store's notes, beyond the records.
  let notes: StoreNotes
  /// The key that identifies the changes, if they are from an ``OfflineQueue``.
  ///
  /// It is the same however often they are sent, also after a restart.
  ///
  /// A backing store applies them exactly once if it notes the key in the transaction that applies
  /// the changes, and does nothing if it has the key already. Change sets that are not queued have
  /// no key, nor do merged ones.
  ///
  /// A store that ignores the key, as Kinship's own stores do, may get the same changes twice, if
  /// its answer to the first was lost. An update then sets the same properties again, over what
  /// others wrote in between. An insertion throws `KinshipError.exists`, and a deletion or a
  /// ``Versioned`` update throws `.conflict`: the write counts as refused although it was
  /// committed. The next read shows what the store has.
  public internal(set) var key: ChangeKey?

  /// Creates a change set without changes.
  public init() { self.init(types: []) }

  init(types: [any ErasedEdits], notes: StoreNotes = StoreNotes(), key: ChangeKey? = nil) {
    self.key = key
    self.types = types.contains { $0.count == 0 } ? types.filter { $0.count > 0 } : types
    self.notes = notes
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { types.isEmpty }

  /// Whether all records are certainly unchanged, although some were set.
  var isWithoutEffect: Bool { types.allSatisfy { $0.areWithoutEffect } }

  /// The number of records that have changed.
  ///
  /// - Complexity: O(*n*) in the types that have changed.
  public var count: Int { types.reduce(0) { $0 + $1.count } }

  /// The record types that have changed.
  public var recordTypes: [any GraphRecord.Type] { types.map { $0.recordType } }

  /// The refs of all records that have changed: by type, those inserted, updated and deleted.
  ///
  /// - Complexity: O(*n*) in the changes.
  public var refs: [AnyRef] { types.flatMap { $0.refs } }

  /// Returns the inserted records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in the order in which the transaction changed them.
  public func inserted<R: GraphRecord>(_ type: R.Type) -> [R] { edits(of: type)?.inserted ?? [] }

  /// Returns the updated records of a type.
  ///
  /// - Parameter type: The record type.
  /// - Returns: Their old and new values, in the order in which the transaction changed them.
  public func updated<R: GraphRecord>(_ type: R.Type) -> [UpdatedRecord<R>] {
    edits(of: type)?.updated ?? []
  }

  /// Returns the deleted records of a type, with their last values.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The records, in the order in which the transaction changed them.
  public func deleted<R: GraphRecord>(_ type: R.Type) -> [R] { edits(of: type)?.deleted ?? [] }

  /// The changes that undo these.
  ///
  /// Values that a backing store has kept of deleted records are included: ``keep(_:of:)``. A
  /// `SQLiteStore` and a `FileStore` keep such values; a `TranslatingStore` keeps what the record
  /// maps and what its translator keeps. Encoding a change set drops them.
  ///
  /// - Throws: `KinshipError.misuse(.notInvertible)` if a record was updated without having been in
  ///   memory.
  /// - Complexity: O(*n*) in the changes.
  public var inverted: ChangeSet {
    get throws(KinshipError) {
      var inverted: [any ErasedEdits] = []
      // T2: insertions become deletions, deletions insertions, and updates restore old values.
      for type in types { inverted.append(try type.inverted()) }
      return ChangeSet(types: inverted, notes: notes)
    }
  }

  /// Returns the net effect of these changes and later ones on each record.
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
    let both = StoreNotes()
    both.add(notes)
    both.add(later.notes)
    return ChangeSet(types: merged, notes: both)
  }

  // MARK: Stored values outside of records

  /// Keeps stored values that are not in a record, such as columns that it does not map.
  ///
  /// Backing stores call it when they delete the record; undoing the deletion inserts the record
  /// with the same values.
  ///
  /// - Parameters:
  ///   - unmapped: The values to keep, in a form that the store knows.
  ///   - ref: The ref that names the deleted record.
  /// - Complexity: O(1) on average.
  public func keep<R: GraphRecord>(_ unmapped: some Sendable, of ref: Ref<R>) {
    notes.keep(unmapped, of: ref.id, R.self)
  }

  /// Returns the values that were kept of a deleted record, if these changes undo its deletion.
  ///
  /// They are not encoded with the changes: a decoded change set inserts the record alone.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Returns: The values, or `nil` for none.
  /// - Complexity: O(1) on average.
  public func unmapped<R: GraphRecord>(of ref: Ref<R>) -> (any Sendable)? {
    notes.kept(of: ref.id, R.self)
  }

  // MARK: The store's result

  /// Reports that a record is stored differently from these changes.
  ///
  /// For backing stores: a database rounds values, computes columns and runs triggers. Call it
  /// within ``BackingStore/apply(_:)``, once nothing can keep the changes from being committed. The
  /// cache then holds the stored record, and the change set that the transaction returns has the
  /// stored values of the properties that were set.
  ///
  /// - Parameter record: The record as it is stored, which these changes insert or update.
  /// - Complexity: O(1).
  public func report<R: GraphRecord>(stored record: R) { notes.report(StoreReport.stored(record)) }

  /// Reports records that the store has changed beyond these changes, for example by a trigger or
  /// by deleting rows that refer to a deleted one.
  ///
  /// For backing stores, within ``BackingStore/apply(_:)``. The cache drops these records, and
  /// loads them again when they are needed.
  ///
  /// - Parameter refs: The refs that name the records; they may be among those of the change set.
  /// - Complexity: O(1).
  public func report(alsoChanged refs: [AnyRef]) { notes.report(StoreReport.changed(refs)) }

  /// Reports that the store may have changed any record of a type beyond these changes.
  ///
  /// For backing stores that do not know which; see ``report(alsoChanged:)``.
  ///
  /// - Parameter type: The record type.
  /// - Complexity: O(1).
  public func report(alsoChangedAllOf type: any GraphRecord.Type) {
    notes.report(StoreReport.changedAll(type))
  }

  /// The ids of all records that have changed, of the types that a schema knows.
  func ids(in schema: GraphSchema) -> [IDs] {
    types.compactMap { edits in schema.number(of: edits.recordType).map { edits.ids($0) } }
  }

  /// Returns the changes of some types only, with the same notes.
  package func only(_ types: [any ErasedEdits]) -> ChangeSet {
    ChangeSet(types: types, notes: notes, key: key)
  }

  package init<R: GraphRecord>(_ edits: RecordEdits<R>) { self.init(types: [TypeEdits(edits)]) }

  /// Creates the changes of one type, each record named once, to test stores and to copy records.
  package init<R: GraphRecord>(
    inserting inserted: [R] = [], updating updated: [UpdatedRecord<R>] = [],
    deleting deleted: [R] = []
  ) {
    var edits = RecordEdits<R>()
    (edits.inserted, edits.updated, edits.deleted) = (inserted, updated, deleted)
    self.init(edits)
  }

  package func edits<R: GraphRecord>(of type: R.Type) -> RecordEdits<R>? {
    for case let edits as TypeEdits<R> in types { return edits.edits }
    return nil
  }
}

/// A store's report of a commit, beyond its changes.
enum StoreReport: Sendable {
  case stored(any GraphRecord)
  case changed([AnyRef])
  case changedAll(any GraphRecord.Type)
}

extension ChangeSet: CustomStringConvertible {
  /// The numbers of records of each type that were inserted, updated and deleted.
  public var description: String {
    if isEmpty { return "no changes" }
    return types.map { $0.summary }.joined(separator: ", ")
  }
}
