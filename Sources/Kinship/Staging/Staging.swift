/// What a transaction has changed, by the number of the type.
///
/// It has tables of those types alone that the transaction has come to: what it has nothing to do
/// with costs it nothing.
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
  /// Whether it begins with what is committed, also where pending writes show something else.
  @usableFromInline let isBeneath: Bool
  /// Who refers to whom among what is staged, by relationships for which that was asked.
  let indexes = Lock(ErasedValues<EdgeID>())
  /// By relationship, the targets of which all referrers are in memory for as long as the
  /// transaction takes: `StagedCompleteness` of the target's ids.
  let complete = Lock(ErasedValues<EdgeID>())
  /// What stores have kept of the records that the transaction inserts again, or deletes.
  let notes = StoreNotes()
  /// What was replaced while the cache's lock was held.
  @usableFromInline let dropped = Lock<[any Sendable]>([])

  /// Begins with what is in memory, or else with what is committed where pending writes show
  /// something else.
  convenience init(isBeneath: Bool = false) { self.init([], isBeneath: isBeneath) }

  private init(_ tables: some Sequence<any ErasedStagedTable>, isBeneath: Bool) {
    entries = Lock(ContiguousArray(tables.map { Entry($0) }))
    self.isBeneath = isBeneath
  }

  /// What is staged of the types that the transaction has come to, in the order of the schema.
  var tables: ContiguousArray<Entry> { entries.withLock { $0 } }

  /// Destroys what was replaced, outside of all locks.
  func removeDropped() {
    let dropped = dropped.withLock { values in
      defer { values = [] }
      return values
    }
    withExtendedLifetime(dropped) {}
  }

  /// Shows all that is staged to a closure, a chunk at a time.
  func forEachChunk(
    of size: Int = Chunk.size, _ body: (any ErasedStagedTable, Range<Int>) -> Void
  ) {
    for entry in tables {
      for range in Chunk.ranges(entry.table.count, of: size) { body(entry.table, range) }
    }
  }

  /// Takes out what was staged since the last step, and goes on as if it were committed.
  func takeStep() -> Staging {
    let step = Staging(tables.map { $0.table.takeStep() }, isBeneath: isBeneath)
    step.notes.add(notes)
    notes.removeAll()
    return step
  }

  /// Drops what was staged since the last step.
  func undoStep() {
    for entry in tables { entry.table.undoStep() }
    notes.removeAll()
  }

  /// The staged values of a type that the map knows.
  @inlinable
  func table<Element: Cacheable>(
    of type: Element.Type, in map: borrowing IdentityMap
  ) -> StagedTable<Element>? {
    guard let number = map.types[type] else { return nil }
    return table(number, of: type)
  }

  /// The staged values of the type with a number.
  @inlinable
  func table<Element: Cacheable>(_ number: TypeNumber, of type: Element.Type) -> StagedTable<
    Element
  > {
    stagedTable(number, of: type)
      ?? add(StagedTable(StagedValues(isBeneath: isBeneath), of: number))
  }

  /// The staged values of the type with a number, if the transaction has come to it.
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

  /// A copy of what is staged of the type with a number.
  func values<Element: Cacheable>(
    _ number: TypeNumber, of type: Element.Type
  ) -> StagedValues<Element> {
    stagedTable(number, of: type)?.values.withLock { $0 } ?? StagedValues(isBeneath: isBeneath)
  }

  /// Stages the deletion of values, while the cache's lock is held.
  func delete<Element: Cacheable>(
    _ ids: IDs, of type: Element.Type, _ map: borrowing IdentityMap
  ) {
    table(ids.type, of: type).change(in: self) { $0.delete(ids.of(type), map) }
  }

  /// What the transaction sees of an id.
  @inlinable
  func read<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type, _ map: borrowing IdentityMap
  ) -> Knowledge<Element> {
    guard let number = map.types[type] else { return .missing }
    if let table = stagedTable(number, of: type) {
      return table.values.withLock { $0.read(id, map) }
    }
    return isBeneath ? map.committed(id, as: type) : map.knowledge(of: id, as: type)
  }
}

extension Staging {
  /// Whether another transaction has staged the same ids in the same order.
  func hasSameIDs(as other: Staging) -> Bool {
    let (own, others) = (
      tables.filter { $0.table.count > 0 }, other.tables.filter { $0.table.count > 0 }
    )
    return own.count == others.count
      && zip(own, others).allSatisfy { $0.type == $1.type && $0.table.hasSameIDs(as: $1.table) }
  }
}
