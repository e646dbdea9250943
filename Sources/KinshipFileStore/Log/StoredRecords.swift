internal import Kinship

/// The stored values of the records in a change set, including those of commits that wait to be
/// written.
struct StoredRecords<R: GraphRecord> {
  /// The known state of a record.
  private enum Known {
    case missing
    /// The record exists; its value was not read.
    case present
    case record(R)
  }

  private var known: [R.ID: Known] = [:]
  /// The fields of records that the current type lacks.
  private var strange: [R.ID: RecordFields]
  private let catalog: LockedCatalog

  /// Looks up the records, and reads those that the changes need to be checked and made.
  ///
  /// - Throws: `KinshipError.unknownType`, `.fileFailed`, `.damaged` and `.untranslatable`.
  init(
    _ changes: ChangeSet, of type: R.Type, _ catalog: LockedCatalog, _ group: CommitGroup,
    _ strangeFields: StrangeFields
  ) throws(KinshipError) {
    self.catalog = catalog
    let changed = group.changes(to: type)
    let staged = changed.records
    strange = changed.strange
    let isVersioned = type is any Versioned.Type
    // Some are needed to check or make the changes; others are only useful to know.
    var (ids, needed, wanted): ([R.ID], Set<R.ID>, Set<R.ID>) = ([], [], [])
    for record in changes.deleted(type) {
      ids.append(record.id)
      wanted.insert(record.id)
      if isVersioned { needed.insert(record.id) }
    }
    for change in changes.updated(type) {
      ids.append(change.ref.id)
      wanted.insert(change.ref.id)
      if change.properties != nil || (isVersioned && change.old != nil) {
        needed.insert(change.ref.id)
      }
    }
    ids += changes.inserted(type).map { $0.id }
    let ask = staged.isEmpty ? ids : ids.filter { staged[$0] == nil }
    var reading = try catalog.read { catalog throws(KinshipError) in
      try catalog.reading(ask, of: type)
    }
    for (id, record) in staged { known[id] = record.map { .record($0) } ?? .missing }
    for id in reading.ids { known[id] = .present }
    reading = reading.selecting(reading.ids.indices.filter { wanted.contains(reading.ids[$0]) })
    try reading.forEachFound { number, record, found throws(KinshipError) in
      // A damaged record can be deleted or replaced.
      if case .failure = record, !needed.contains(reading.ids[number]) { return }
      let record = try record.get()
      known[record.id] = .record(record)
      if let found { strange[record.id] = try strangeFields.fields(of: record, in: found) }
    }
  }

  /// Checks changes.
  ///
  /// Fields that the current type lacks are kept with the changes, so that undoing a deletion
  /// restores them.
  ///
  /// - Returns: The records to delete, and the records to put with the fields that their type
  ///   lacks.
  /// - Throws: `KinshipError.exists`, `.conflict` and `.identityChanged`.
  func check(
    _ changes: ChangeSet
  ) throws(KinshipError) -> (deleted: [R], put: [R], strange: [R.ID: RecordFields]) {
    let deleted = changes.deleted(R.self)
    var strange: [R.ID: RecordFields] = [:]
    for record in deleted {
      if !isUnchanged(record, record.id) {
        throw .conflict(AnyRef(record.ref), mine: nil, theirs: try stored(record.id))
      }
      if let fields = self.strange[record.id] { changes.keep(fields, of: record.ref) }
    }
    var put: [R] = []
    for change in changes.updated(R.self) {
      guard isUnchanged(change.old, change.ref.id) else {
        throw .conflict(AnyRef(change.ref), mine: change.new, theirs: try stored(change.ref.id))
      }
      if case .record(let stored) = known[change.ref.id] {
        put.append(try change.applied(to: stored))
      } else if let new = change.new {
        try change.checkIdentity(of: new)
        put.append(new)
      }
      if let fields = self.strange[change.ref.id] { strange[change.ref.id] = fields }
    }
    for record in changes.inserted(R.self) {
      switch known[record.id] {
      case .record, .present: throw .exists(AnyRef(record.ref))
      case .missing, nil: put.append(record)
      }
      if let fields = changes.remains(of: record.ref) as? RecordFields {
        strange[record.id] = fields
      }
    }
    return (deleted, put, strange)
  }

  /// Whether a record exists, and may have the base value of a change.
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
      var stored: R?
      try catalog.read { catalog throws(KinshipError) in
        try catalog.reading([id], of: R.self)
      }.forEach { _, record throws(KinshipError) in stored = try record.get() }
      return stored
    }
  }
}
