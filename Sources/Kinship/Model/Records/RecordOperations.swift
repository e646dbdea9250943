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

  /// The records with some ids, as a transaction sees them: an array of those that exist.
  @usableFromInline
  let records: @Sendable (IDs, Staging, borrowing IdentityMap) -> any Sendable
  /// Which records of some ids exist, as a transaction sees them, and of which that is not known.
  @usableFromInline
  let presence: @Sendable (IDs, Staging, borrowing IdentityMap) -> (present: IDs, unknown: IDs)
  /// Stages the deletion of records, while the cache's lock is held.
  @usableFromInline
  let delete: @Sendable (IDs, Staging, borrowing IdentityMap) -> Void

  /// Makes edits of the type in what a transaction has staged: see `RecordEdits.apply`.
  @usableFromInline
  let apply: @Sendable (any ErasedEdits, Staging, borrowing IdentityMap) throws(KinshipError) -> IDs

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
    records = { ids, staging, map in
      var records: [R] = []
      records.reserveCapacity(ids.count)
      for id in ids.of(R.self) {
        if case .present(let record) = staging.read(id, as: R.self, map) { records.append(record) }
      }
      return records
    }
    presence = { ids, staging, map in
      var (present, unknown): ([R.ID], [R.ID]) = ([], [])
      present.reserveCapacity(ids.count)
      for id in ids.of(R.self) {
        switch staging.read(id, as: R.self, map) {
        case .present: present.append(id)
        case .unknown: unknown.append(id)
        case .missing: continue
        }
      }
      return (IDs(present, of: ids.type), IDs(unknown, of: ids.type))
    }
    delete = { ids, staging, map in staging.delete(ids, of: R.self, map) }
    apply = { edits, staging, map throws(KinshipError) in
      guard let edits = edits as? TypeEdits<R>, let number = map.types[R.self] else {
        throw .unknownType(R.recordName)
      }
      let unknown = try staging.table(number, of: R.self).change(in: staging) {
        values throws(KinshipError) in try edits.edits.apply(to: &values, map)
      }
      return IDs(unknown, of: number)
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
