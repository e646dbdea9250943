/// A transaction's changes, by the number of the type.
///
/// It has tables only for the types that the transaction uses: other types cost it nothing.
@usableFromInline
package final class Staging: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let type: TypeNumber
    @usableFromInline let table: any ErasedStagedTable

    @inlinable
    init(_ table: any ErasedStagedTable) {
      type = table.type
      self.table = table
    }
  }

  /// In the order of the types.
  @usableFromInline let entries: Lock<ContiguousArray<Entry>>
  /// Whether the base values are the committed ones, also for ids that have pending writes.
  @usableFromInline let usesBaseValues: Bool
  /// The referrers among the staged values, by the relationships for which they were requested.
  let indexes = Lock(ErasedValues<EdgeID>())
  /// By relationship, the targets of which all referrers are in memory for as long as the
  /// transaction takes: `StagedCompleteness` of the target's ids.
  let complete = Lock(ErasedValues<EdgeID>())
  /// The values that stores have kept of records that the transaction inserts again, or deletes.
  let notes = StoreNotes()
  /// The values replaced while the cache's lock was held.
  @usableFromInline let dropped = Lock<[any Sendable]>([])

  /// Begins with the values in memory, or with the base values of ids that have pending writes.
  convenience init(usesBaseValues: Bool = false) { self.init([], usesBaseValues: usesBaseValues) }

  private init(_ tables: some Sequence<any ErasedStagedTable>, usesBaseValues: Bool) {
    entries = Lock(ContiguousArray(tables.map { Entry($0) }))
    self.usesBaseValues = usesBaseValues
  }

  /// The staged values of the types that the transaction uses, in the order of the schema.
  var tables: ContiguousArray<Entry> { entries.withLock { $0 } }

  /// Destroys replaced values, outside of all locks.
  func removeDropped() {
    let dropped = dropped.withLock { values in
      defer { values = [] }
      return values
    }
    withExtendedLifetime(dropped) {}
  }

  /// Passes all staged values to a closure, a chunk at a time.
  func forEachChunk(_ body: (any ErasedStagedTable, Range<Int>) -> Void) {
    for entry in tables {
      // Inserting into a growing index takes several times as long as other changes.
      for range in Chunk.ranges(entry.table.count, of: Chunk.small) { body(entry.table, range) }
    }
  }

  /// Removes and returns the values staged since the last step, and continues as if they were
  /// committed.
  func takeStep() -> Staging {
    let step = Staging(tables.map { $0.table.takeStep() }, usesBaseValues: usesBaseValues)
    step.notes.add(notes)
    notes.removeAll()
    return step
  }

  /// Drops the values staged since the last step.
  func undoStep() {
    for entry in tables { entry.table.undoStep() }
    notes.removeAll()
  }

  /// The staged values of the type with a number.
  @inlinable
  func table<Element: Cacheable>(_ number: TypeNumber, of type: Element.Type) -> StagedTable<
    Element
  > {
    stagedTable(number, of: type)
      ?? add(StagedTable(StagedValues(usesBaseValues: usesBaseValues), of: number))
  }

  /// Returns the staged values of the type with a number, if the transaction uses it.
  @inlinable
  func stagedTable<Element: Cacheable>(
    _ number: TypeNumber, of type: Element.Type
  ) -> StagedTable<Element>? {
    // The number is that of the type in this schema; debug builds check it.
    stagedTable(number).map { unsafeDowncast($0, to: StagedTable<Element>.self) }
  }

  @inlinable
  func stagedTable(_ number: TypeNumber) -> (any ErasedStagedTable)? {
    entries.withLock { entries in
      for position in entries.indices where entries[position].type == number {
        return entries[position].table
      }
      return nil
    }
  }

  @inlinable
  func add<Element: Cacheable>(_ table: StagedTable<Element>) -> StagedTable<Element> {
    let entry = Entry(table)
    entries.withLock { entries in
      let position = entries.firstIndex { $0.type.index > entry.type.index } ?? entries.endIndex
      entries.insert(entry, at: position)
    }
    return table
  }

  /// Returns a copy of the staged values of the type with a number.
  func values<Element: Cacheable>(
    _ number: TypeNumber, of type: Element.Type
  ) -> StagedValues<Element> {
    stagedTable(number, of: type)?.values.withLock { $0 }
      ?? StagedValues(usesBaseValues: usesBaseValues)
  }

  /// Stages the deletion of values, while the cache's lock is held.
  func delete<Element: Cacheable>(
    _ ids: IDs, of type: Element.Type, _ map: borrowing IdentityMap
  ) {
    table(ids.type, of: type).change(in: self) { $0.delete(ids.of(type), map) }
  }

  /// Returns the transaction's value of an id.
  @inlinable
  func read<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type, _ map: borrowing IdentityMap
  ) -> Knowledge<Element> {
    guard let number = map.types[type] else { return .missing }
    if let table = stagedTable(number, of: type) {
      return table.values.withLock { $0.read(id, map) }
    }
    return usesBaseValues ? map.committed(id, as: type) : map.knowledge(of: id, as: type)
  }
}

extension Staging {
  /// Returns whether another transaction has staged the same ids in the same order.
  func hasSameIDs(as other: Staging) -> Bool {
    let (own, others) = (
      tables.filter { $0.table.count > 0 }, other.tables.filter { $0.table.count > 0 }
    )
    return own.count == others.count
      && zip(own, others).allSatisfy { $0.type == $1.type && $0.table.hasSameIDs(as: $1.table) }
  }
}
