public import Kinship

private struct TierWrite: Sendable {
  enum Outcome { case made, refused, unknown }

  let changes: ChangeSet
  /// The moment at which it began, and the time.
  let began: UInt64
  let asOf: Int
}

extension TieredStore {
  /// Applies changes in the far store, and then in the copies.
  ///
  /// The copies of the records to change are removed first, so no reader sees them if the process
  /// ends meanwhile. If the far store refuses the changes (`BackingStore.isRefusal(_:)`), or
  /// certainly was unreachable, the copies are restored. If it is unknown whether the changes were
  /// applied, they are not.
  ///
  /// The copy of an updated record is exact if its type is `Versioned`. For other types, it counts
  /// as old as the previous copy, because others may have changed the rest. A fetch that began
  /// before a write ended does not copy the written records.
  ///
  /// - Parameter changes: The records to insert, update and delete.
  /// - Throws: The errors of the far store.
  public func apply(_ changes: ChangeSet) async throws {
    if changes.isEmpty { return try await far.apply(changes) }
    await near.open()
    let write = near.state.withLock { [near] state in
      for type in changes.recordTypes where near.keeps(type) {
        Self.beginWrite(changes, of: type, in: &state)
      }
      return TierWrite(changes: changes, began: state.begin(), asOf: near.now)
    }
    let taken = await near.inTurn { [self] in
      var taken = ErasedValues<ObjectIdentifier>()
      for type in changes.recordTypes where near.keeps(type) {
        await takeOut(changes, of: type, &taken)
      }
      return taken
    }
    do {
      try await far.apply(changes)
    } catch {
      await end(write, far.isRefusal(error) ? .refused : .unknown, taken)
      throw error
    }
    await end(write, .made, taken)
    // The far store reports the values that it stored; they may differ.
    await removeCopies(of: changes.reported)
  }

  private static func beginWrite<R: GraphRecord>(
    _ changes: ChangeSet, of type: R.Type, in state: inout TierState
  ) {
    let ids = changes.edits(of: type)?.ids ?? []
    state.change(type) { $0.beginWrite(ids) }
  }

  private func takeOut<R: GraphRecord>(
    _ changes: ChangeSet, of type: R.Type, _ taken: inout ErasedValues<ObjectIdentifier>
  ) async {
    let ids = changes.edits(of: type)?.ids ?? []
    let copies = near.state.withLock { state in
      ids.filter { !state.isOpen || state.table(type).copies[$0] != nil }
    }
    let puts = copies.isEmpty ? [] : await near.takeOut(type, copies)
    taken.change(ObjectIdentifier(type), from: [TierPut<R>]()) { $0 = puts }
  }

  private func end(
    _ write: TierWrite, _ outcome: TierWrite.Outcome, _ taken: ErasedValues<ObjectIdentifier>
  ) async {
    await near.inTurn { [self] in
      let moment = near.state.withLock { $0.next() }
      for type in write.changes.recordTypes where near.keeps(type) {
        await end(write, of: type, outcome, taken, at: moment)
      }
      near.state.withLock { [near] in $0.end(write.began, near.types) }
      await near.evict()
    }
  }

  /// Writes the copies after a write, except for records that another call has written meanwhile.
  private func end<R: GraphRecord>(
    _ write: TierWrite, of type: R.Type, _ outcome: TierWrite.Outcome,
    _ taken: ErasedValues<ObjectIdentifier>, at moment: UInt64
  ) async {
    let edits = write.changes.edits(of: type) ?? RecordEdits()
    let alone = near.state.withLock { state in
      // A result that was requested before does not include the written records.
      if outcome != .refused { state.change(TierAnswer<R>.self) { $0.floor = moment } }
      return state.change(type) {
        $0.endWrite(edits.ids, write.began, at: outcome == .refused ? nil : moment)
      }
    }
    let old = taken.value(ObjectIdentifier(type), as: [TierPut<R>].self) ?? []
    switch outcome {
    case .unknown: await endAnswers(edits, isKnown: false)
    case .refused: await near.put(old.filter { alone.contains($0.record.id) })
    case .made:
      let puts = puts(of: edits, over: old, write, at: moment)
      await near.put(puts.filter { alone.contains($0.record.id) })
      await endAnswers(edits, isKnown: true)
    }
  }

  /// The copies of the written records, as the far store has them now.
  private func puts<R: GraphRecord>(
    of edits: RecordEdits<R>, over old: [TierPut<R>], _ write: TierWrite, at moment: UInt64
  ) -> [TierPut<R>] {
    let old = Dictionary(old.map { ($0.record.id, $0) }) { first, _ in first }
    func put(_ record: R, asOf: Int) -> TierPut<R>? {
      let bytes = TierSize.bytes(of: record)
      if bytes > near.policy.bytes { return nil }
      let use = near.state.withLock { [near] in $0.nextUse(at: near.now) }
      return TierPut(
        record: record,
        copy: TierCopy(asOf: asOf, bytes: bytes, used: use, writtenUse: use, moment: moment))
    }
    let isVersioned = R.self is any Versioned.Type
    return edits.inserted.compactMap { put($0, asOf: write.asOf) }
      + edits.updated.compactMap { change in
        // The version proves that the far store had the base value of this change.
        if isVersioned, change.old != nil, let new = change.new {
          return put(new, asOf: write.asOf)
        }
        // Others may have changed the other properties since: keep the old age.
        guard let copy = old[change.ref.id], let new = try? change.applied(to: copy.record) else {
          return nil
        }
        return put(new, asOf: copy.copy.asOf)
      }
  }

  /// Adds the written records to the stored query results.
  ///
  /// A read of the result checks whether they match its filter. If it is unknown whether a record
  /// was written, it has no copy, and a read reports it as missing.
  private func endAnswers<R: GraphRecord>(_ edits: RecordEdits<R>, isKnown: Bool) async {
    typealias Answer = TierAnswer<R>
    let copies = near.state.withLock { $0.table(Answer.self).copies }
    if copies.isEmpty { return }
    let deleted = isKnown ? Set(edits.deleted.map { $0.id }) : []
    let written = edits.inserted.map { $0.id } + edits.updated.map { $0.ref.id }
    do {
      let answers = try await near.store.fetch(Answer.self, ids: Array(copies.keys))
      let puts = answers.compactMap { answer -> TierPut<Answer>? in
        guard var copy = copies[answer.id] else { return nil }
        var answer = answer
        let known = Set(answer.ids)
        answer.ids = answer.ids.filter { !deleted.contains($0) }
        answer.ids += written.filter { !known.contains($0) }
        copy.bytes = TierSize.bytes(of: answer)
        return TierPut(record: answer, copy: copy)
      }
      if await near.put(puts) { return }
    } catch {
      near.countFailure(error)
    }
    await near.takeOut(Answer.self, Array(copies.keys))
  }
}
