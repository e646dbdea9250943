/// What a store has of the records that changes speak of, those waiting to be written included.
struct StoredRecords<R: Record> {
  /// What is known of a record.
  private enum Known {
    case missing
    /// It is there; nobody has asked what it is.
    case present
    case record(R)
  }

  private var known: [R.ID: Known] = [:]
  private let catalog: LockedCatalog

  /// Finds out what is there, and reads what must be known to check and make the changes.
  ///
  /// - Throws: `KinshipError.unknownType`, `.fileFailed`, `.damaged` and `.untranslatable`.
  init(
    _ changes: ChangeSet, of type: R.Type, _ catalog: LockedCatalog, _ group: CommitGroup
  ) throws(KinshipError) {
    self.catalog = catalog
    let staged = group.records(type)
    let isVersioned = type is any Versioned.Type
    var (ids, needed): ([R.ID], Set<R.ID>) = ([], [])
    for record in changes.deleted(type) {
      ids.append(record.id)
      if isVersioned { needed.insert(record.id) }
    }
    for change in changes.updated(type) {
      ids.append(change.ref.id)
      if change.properties != nil || (isVersioned && change.old != nil) {
        needed.insert(change.ref.id)
      }
    }
    ids += changes.inserted(type).map(\.id)
    let ask = staged.isEmpty ? ids : ids.filter { staged[$0] == nil }
    var reading = try catalog.read { catalog throws(KinshipError) in
      try catalog.reading(ask, of: type)
    }
    for (id, record) in staged { known[id] = record.map { .record($0) } ?? .missing }
    for id in reading.ids { known[id] = .present }
    reading = reading.selecting(reading.ids.indices.filter { needed.contains(reading.ids[$0]) })
    for record in try reading.records() { known[record.id] = .record(record) }
  }

  /// Checks changes.
  ///
  /// - Returns: The records to delete, and those to put.
  /// - Throws: `KinshipError.exists` and `.conflict`.
  func check(_ changes: ChangeSet) throws(KinshipError) -> (deleted: [R], put: [R]) {
    let deleted = changes.deleted(R.self)
    for record in deleted where !isUnchanged(record, record.id) {
      throw .conflict(AnyRef(record.ref), mine: nil, theirs: try stored(record.id))
    }
    var put: [R] = []
    for change in changes.updated(R.self) {
      guard isUnchanged(change.old, change.ref.id) else {
        throw .conflict(AnyRef(change.ref), mine: change.new, theirs: try stored(change.ref.id))
      }
      if let properties = change.properties {
        guard case .record(var record) = known[change.ref.id] else { continue }
        for property in properties { property.apply(to: &record) }
        put.append(record)
      } else if let new = change.new {
        put.append(new)
      }
    }
    for record in changes.inserted(R.self) {
      switch known[record.id] {
      case .record, .present: throw .exists(AnyRef(record.ref))
      case .missing, nil: put.append(record)
      }
    }
    return (deleted, put)
  }

  /// Whether there is a record, and it may be what a change is based on.
  private func isUnchanged(_ old: R?, _ id: R.ID) -> Bool {
    switch known[id] {
    case .missing, nil: false
    case .present: true
    case .record(let stored): old?.isUnchanged(in: stored) != false
    }
  }

  private func stored(_ id: R.ID) throws(KinshipError) -> R? {
    switch known[id] {
    case .missing, nil: return nil
    case .record(let record): return record
    case .present:
      return try catalog.read { catalog throws(KinshipError) in
        try catalog.reading([id], of: R.self)
      }.records().first
    }
  }
}
