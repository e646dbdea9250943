internal import Kinship

/// The stored values of the records in a change set, including those of commits that wait to be
/// written.
struct StoredRecords<R: GraphRecord> {
  private var known: [R.ID: StoredRecord<R>] = [:]
  /// The fields of records that the current type lacks.
  private var unknownFields: [R.ID: RecordFields]

  /// Looks up the records, and reads those that the changes need to be checked and made.
  init(
    _ changes: ChangeSet, of type: R.Type, _ catalog: LockedCatalog, _ group: CommitGroup,
    _ unknownFieldTable: UnknownFields
  ) throws(KinshipError) {
    let changed = group.changes(to: type)
    let staged = changed.records
    unknownFields = changed.unknownFields
    let isVersioned = type is any Versioned.Type
    // Some are needed to check or apply the changes; others are only useful to know.
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
    for (id, record) in staged { known[id] = StoredRecord(record) }
    for id in reading.ids { known[id] = .unread }
    reading = reading.selecting(reading.ids.indices.filter { wanted.contains(reading.ids[$0]) })
    try reading.forEach { number, record, found throws(KinshipError) in
      // A damaged record can be deleted or replaced.
      if case .failure = record, !needed.contains(reading.ids[number]) { return }
      let record = try record.get()
      known[record.id] = .record(record)
      if let found {
        unknownFields[record.id] = try unknownFieldTable.fields(of: record, in: found)
      }
    }
  }

  /// Checks changes, and returns the records to delete and to put.
  ///
  /// Fields that the current type lacks are kept with the changes, so that undoing a deletion
  /// restores them.
  func check(
    _ changes: ChangeSet
  ) throws(KinshipError) -> (deleted: [R], put: [R], unknownFields: [R.ID: RecordFields]) {
    let edits = changes.edits(of: R.self) ?? RecordEdits()
    func stored(_ id: R.ID) -> StoredRecord<R> { known[id] ?? .missing }
    try edits.check(against: stored)
    let put = try edits.written(over: stored)
    var unknownFields: [R.ID: RecordFields] = [:]
    for record in edits.deleted {
      if let fields = self.unknownFields[record.id] { changes.keep(fields, of: record.ref) }
    }
    for change in edits.updated { unknownFields[change.ref.id] = self.unknownFields[change.ref.id] }
    for record in edits.inserted {
      if let fields = changes.unmapped(of: record.ref) as? RecordFields {
        unknownFields[record.id] = fields
      }
    }
    return (edits.deleted, put, unknownFields)
  }
}
