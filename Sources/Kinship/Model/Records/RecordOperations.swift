/// What the cache does with records of a type that it knows by number only, where it must be fast
/// and the engine need not know of it: as ``TableOperations``, made where the type is known to the
/// compiler.
@usableFromInline
struct RecordOperations: Sendable {
  /// Makes a column of a graph.
  @usableFromInline let makeColumn: @Sendable (ColumnParts) -> any ErasedGraphColumn
  /// What a transaction has changed of the type; `nil` if it has not changed any.
  @usableFromInline let edits: @Sendable (any ErasedStagedTable) -> (any ErasedEdits)?
  /// Takes a range of what a transaction has staged over into the map; nothing was written since.
  @usableFromInline
  let commit: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Void

  @inlinable
  init<R: GraphRecord>(of type: R.Type) {
    makeColumn = { GraphColumn<R>($0) }
    edits = { table in
      let table = checked(table, as: StagedTable<R>.self)
      let (count, stagedCount) = table.values.withLock { ($0.changeCount, $0.values.count) }
      return count == 0 ? nil : TypeEdits(table, count: count, of: stagedCount)
    }
    commit = { table, range, map in
      checked(table, as: StagedTable<R>.self).values.withLock { $0.commit(range, to: &map) }
      map.packDropped(of: R.self)
    }
  }
}
