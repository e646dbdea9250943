internal import Kinship

extension Log {
  /// The maximum number of bytes to write together, unless one commit is larger.
  private static let largestGroup = 1 << 20
  /// The number of bytes to compact for each byte that is written, while space is wasted.
  private static let debtPerByte = 8

  /// Commits changes in order, as many as possible with one write and one sync.
  ///
  /// Each of them gets its result.
  func commit(_ waiting: [PendingCommit], syncing isSyncing: Bool) {
    var rest = waiting[...]
    while !rest.isEmpty { rest = commitGroup(of: rest, syncing: isSyncing) }
  }

  /// Commits the first of some changes, and returns the others.
  private func commitGroup(
    of waiting: ArraySlice<PendingCommit>, syncing isSyncing: Bool
  ) -> ArraySlice<PendingCommit> {
    payDebt()
    do { try prepare() } catch {
      fail(waiting, error)
      return []
    }
    var (group, staged, rest) = (CommitGroup(active), [PendingCommit](), waiting)
    while let next = rest.first, group.bytes.count < Self.largestGroup {
      rest.removeFirst()
      do {
        try stage(next.changes, in: &group)
        staged.append(next)
      } catch { fail([next], error) }
    }
    do {
      if !group.commits.isEmpty { try append(group, syncing: isSyncing) }
      let count = group.commits.count
      catalog.change { $0.tally.commits += count }
      compactionBudget += Self.debtPerByte * group.bytes.count
      // F2: commits are acknowledged once they are as durable as requested.
      for commit in staged { commit.settle(.success(())) }
    } catch {
      // Repair at once, so that a failed commit is not there when the store is opened again.
      do { try repair() } catch { recordFailure(error) }
      fail(staged[...], error)
    }
    return rest
  }

  private func fail(_ commits: ArraySlice<PendingCommit>, _ error: any Error) {
    let error = KinshipError.of(error, path: environment.path)
    for commit in commits { commit.settle(.failure(error)) }
  }

  /// Checks changes, and appends them to a group, which is unchanged if this throws.
  private func stage(
    _ changes: ChangeSet, in group: inout CommitGroup
  ) throws(KinshipError) {
    group.publish()
    var buffer = EntryBuffer(group.vocabulary)
    for type in changes.recordTypes { try stage(changes, of: type, group, into: &buffer) }
    try group.append(buffer, active.encoder)
  }

  private func stage<R: GraphRecord>(
    _ changes: ChangeSet, of type: R.Type, _ group: CommitGroup, into buffer: inout EntryBuffer
  ) throws(KinshipError) {
    let (number, codec) = try catalog.read { catalog throws(KinshipError) in
      (try catalog.number(of: type), try catalog.locations(of: type).codec)
    }
    let known = try StoredRecords(changes, of: type, catalog, group, unknownFieldTable)
    let (deleted, put, unknownFields) = try known.check(changes)
    if R.indexes.hasUnique { try requireUnique(put, deleted, after: group) }
    guard let example = put.first ?? deleted.first else { return }
    let typeNumber = buffer.vocabulary.number(of: today(example, number))
    var part = CommittedRecords<R>(
      typeNumber: number, deleted: deleted.map { $0.id }, put: put, unknownFields: unknownFields)
    for id in part.deleted {
      var bytes: [UInt8] = []
      try codec.ids.encode(id, by: active.encoder, into: &bytes)
      buffer.append(.deleted, type: typeNumber, id: bytes)
    }
    part.entries.reserveCapacity(put.count)
    var bytes: [UInt8] = []
    for record in put {
      let fields = unknownFields.isEmpty ? nil : unknownFields[record.id]
      part.entries.append(
        try append(record, fields, codec, type: typeNumber, &bytes, to: &buffer))
    }
    buffer.parts.append(part)
  }

  /// Refuses records that violate a unique index, together with the records of the same group.
  private func requireUnique<R: GraphRecord>(
    _ put: [R], _ deleted: [R], after group: CommitGroup
  ) throws(KinshipError) {
    var (records, removed) = ([R](), deleted.map { $0.id })
    let own = Set(put.lazy.map { $0.id }).union(removed)
    for (id, record) in group.changes(to: R.self).records where !own.contains(id) {
      if let record { records.append(record) } else { removed.append(id) }
    }
    let all = records + put
    let gone = removed
    try catalog.read { catalog throws(KinshipError) in
      if let index = try catalog.declaredIndexes(of: R.self) {
        try R.indexes.check(all, removing: gone, in: index)
      }
    }
  }

  /// The current declaration of a type, by one of its records.
  private func today<R: GraphRecord>(_ record: R, _ number: Int) -> StoredType {
    if let type = types[number] { return type }
    let type = Self.today(
      R.self, number, fields: Mirror(reflecting: record).children.compactMap(\.label))
    types[number] = type
    return type
  }

  static func today(
    _ type: any GraphRecord.Type, _ number: Int, fields: [String] = []
  ) -> StoredType {
    StoredType(
      declaration: TypeDeclaration(
        number: 0, name: type.recordName, version: type.recordVersion, fields: fields),
      type: type as? any StorableRecord.Type, number: TypeNumber(number), steps: [])
  }
}

final class PendingCommit: Sendable {
  let changes: ChangeSet
  private let state = Lock<Result<Void, any Error>?>(nil)

  init(_ changes: ChangeSet) { self.changes = changes }

  /// The result of the commit; `nil` while it waits.
  var outcome: Result<Void, any Error>? { state.withLock { $0 } }

  func settle(_ outcome: Result<Void, any Error>) { state.withLock { $0 = outcome } }
}
