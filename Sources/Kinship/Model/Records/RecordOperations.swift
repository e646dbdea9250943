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

  /// Takes what a transaction has staged, and records by their ids: how to set the properties that
  /// were set in them, if these are all there and nothing else was done.
  @usableFromInline typealias Update =
    @Sendable (any ErasedStagedTable, any Sendable) -> UpdateStep?
  /// Changes such records; returns what they were.
  @usableFromInline typealias UpdateStep = @Sendable (inout any Sendable) -> any Sendable

  // What is staged of a type is in a table of that type; debug builds check it.
  @inlinable
  init<R: GraphRecord>(of type: R.Type) {
    makeColumn = { GraphColumn<R>($0) }
    let isPlain = R.indexes.isEmpty && !(R.self is any Versioned.Type)
    let update: Update = { Self.update(R.self, $0, $1) }
    edits = { table in
      let table = unsafeDowncast(table, to: StagedTable<R>.self)
      let (ids, stagedCount) = table.values.withLock { ($0.changedIDs, $0.values.count) }
      if ids.isEmpty { return nil }
      return TypeEdits(
        table, IDs(ids, of: table.type), of: stagedCount,
        make: { $0.values.withLock { RecordEdits($0) } }, update: isPlain ? update : nil)
    }
    commit = { table, range, map in
      unsafeDowncast(table, to: StagedTable<R>.self).values.withLock { $0.commit(range, to: &map) }
      map.packDropped(of: R.self)
    }
  }

  @inlinable
  static func update<R: GraphRecord>(
    _ type: R.Type, _ table: any ErasedStagedTable, _ records: any Sendable
  ) -> UpdateStep? {
    let records = checked(records, as: [R.ID: R].self)
    let table = unsafeDowncast(table, to: StagedTable<R>.self)
    let updates = table.values.withLock { staged -> [(Dictionary<R.ID, R>.Index, R)]? in
      var updates: [(Dictionary<R.ID, R>.Index, R)] = []
      updates.reserveCapacity(staged.values.count)
      for position in staged.values.indices {
        guard case .properties(let changes) = staged.values[position].edits,
          let index = records.index(forKey: staged.values[position].id)
        else { return nil }
        if changes.isEmpty { continue }
        var record = records.values[index]
        for change in changes { change.apply(to: &record) }
        if record.id != staged.values[position].id { return nil }
        updates.append((index, record))
      }
      return updates
    }
    guard let updates else { return nil }
    return { records in
      var changed = checked(records, as: [R.ID: R].self)
      records = ()
      var replaced = updates
      for number in replaced.indices {
        swap(&changed.values[replaced[number].0], &replaced[number].1)
      }
      records = changed
      return replaced
    }
  }
}
