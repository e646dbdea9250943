/// The operations on records of a type that the cache knows only by number, where speed matters:
/// those of the engine, and those that it does not need.
///
/// Like ``TableOperations``, they are created where the compiler knows the type.
@usableFromInline
package struct RecordOperations: Sendable {
  /// The operations that the engine needs.
  @usableFromInline let table: TableOperations
  /// Makes a column of a graph.
  @usableFromInline let makeColumn: @Sendable (ColumnParts) -> any ErasedGraphColumn
  /// Returns a transaction's edits of the type; `nil` if it has not changed any.
  @usableFromInline let makeEdits: @Sendable (any ErasedStagedTable, Update?) -> (any ErasedEdits)?
  /// Commits a range of the staged values to the map, if nothing was written since.
  @usableFromInline
  let commit: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Void

  /// Returns a step that applies a transaction's staged edits to records by their ids; `nil` if
  /// there is more to it than setting properties.
  @usableFromInline var update: Update?

  /// Takes the staged edits and records by their ids, and returns a step that sets the changed
  /// properties in them, if these all exist and nothing else was changed.
  @usableFromInline typealias Update =
    @Sendable (any ErasedStagedTable, any Sendable) -> UpdateStep?
  /// Changes such records; returns their old values.
  @usableFromInline package typealias UpdateStep = @Sendable (inout any Sendable) -> any Sendable

  // The staged values of a type are in a table of that type; debug builds check it.
  @inlinable
  init<R: GraphRecord>(of type: R.Type) {
    table = TableOperations(of: type)
    makeColumn = { GraphColumn<R>($0) }
    makeEdits = { table, update in
      let table = unsafeDowncast(table, to: StagedTable<R>.self)
      let staged = table.staged
      var ids: [R.ID] = []
      staged.withPlaces { places in
        for place in places where place.isNet() { ids.append(place.pointee.id) }
      }
      if ids.isEmpty { return nil }
      return TypeEdits(
        table, IDs(ids, of: table.type), of: staged.count, make: { RecordEdits($0.staged) },
        update: update)
    }
    commit = { table, range, map in
      unsafeDowncast(table, to: StagedTable<R>.self).values.withLock { $0.commit(range, to: &map) }
      map.packDropped(of: R.self)
    }
    update = { Self.update(R.self, $0, $1) }
  }

  /// Returns a transaction's edits of the type; `nil` if it has not changed any.
  func edits(_ table: any ErasedStagedTable) -> (any ErasedEdits)? { makeEdits(table, update) }

  @inlinable
  static func update<R: GraphRecord>(
    _ type: R.Type, _ table: any ErasedStagedTable, _ records: any Sendable
  ) -> UpdateStep? {
    let records = checked(records, as: [R.ID: R].self)
    let staged = unsafeDowncast(table, to: StagedTable<R>.self).staged
    var arePlain = true
    // No array that grows: that would be much code for each type.
    let updates = [(Dictionary<R.ID, R>.Index, R)](filling: staged.count) {
      updates, count in
      for position in staged.indices {
        guard case .properties(let changes) = staged[position].edits,
          let index = records.index(forKey: staged[position].id)
        else { return arePlain = false }
        if changes.isEmpty { continue }
        var record = records.values[index]
        for change in changes { change.apply(to: &record) }
        if record.id != staged[position].id { return arePlain = false }
        updates.initializeElement(at: count, to: (index, record))
        count &+= 1
      }
    }
    if !arePlain { return nil }
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
