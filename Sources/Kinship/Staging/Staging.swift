/// What a transaction has changed, by the number of the type.
@usableFromInline
struct Staging: Sendable {
  /// What is staged of each type.
  @usableFromInline let tables: ContiguousArray<any ErasedStagedTable>
  /// Whether it begins with what is committed, also where pending writes show something else.
  let isBeneath: Bool
  /// Who refers to whom among what is staged, by relationships for which that was asked.
  let indexes = StagedIndexes()
  /// By relationship, the targets of which all referrers are in memory for as long as the
  /// transaction takes: `StagedCompleteness` of the target's ids.
  let complete = StagedIndexes()
  /// What stores have kept of the records that the transaction inserts again, or deletes.
  let remains = Remains()
  /// What was replaced while the cache's lock was held.
  @usableFromInline let dropped = DroppedStaging()

  /// Begins with what is in memory, or else with what is committed where pending writes show
  /// something else.
  init(_ types: [any Cacheable.Type], isBeneath: Bool = false) {
    self.init(
      tables: ContiguousArray(
        zip(types.typeNumbers, types).map { number, type in
          type.stagedTable(of: number, isBeneath: isBeneath)
        }), isBeneath: isBeneath)
  }

  private init(tables: ContiguousArray<any ErasedStagedTable>, isBeneath: Bool) {
    self.tables = tables
    self.isBeneath = isBeneath
  }

  /// How many values the map takes over in one hold of its lock, where there are many.
  static var portion: Int { 512 }

  /// Takes out what was staged since the last step, and goes on as if it were committed.
  func takeStep() -> Staging {
    let step = Staging(
      tables: ContiguousArray(tables.map { $0.takeStep() }), isBeneath: isBeneath)
    step.remains.add(remains)
    remains.removeAll()
    return step
  }

  /// Drops what was staged since the last step.
  func undoStep() {
    for table in tables { table.undoStep() }
    remains.removeAll()
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
    // The number is that of the type in this schema; debug builds check it.
    unsafeDowncast(tables[number], to: StagedTable<Element>.self)
  }

  /// A copy of what is staged of the type with a number.
  func values<Element: Cacheable>(
    _ number: TypeNumber, of type: Element.Type
  ) -> StagedValues<Element> { table(number, of: type).values.withLock { $0 } }

  /// What the transaction sees of an id.
  @inlinable
  func read<Element: Cacheable>(
    _ id: Element.ID, as type: Element.Type, _ map: borrowing IdentityMap
  ) -> Knowledge<Element> {
    guard let table = table(of: type, in: map) else { return .missing }
    return table.values.withLock { $0.read(id, map) }
  }
}

/// What is known of relationships among a transaction's own changes.
@usableFromInline
final class StagedIndexes: Sendable {
  let values = Lock(ErasedValues<EdgeID>())
}
