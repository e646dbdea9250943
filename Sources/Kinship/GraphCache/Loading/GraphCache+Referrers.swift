extension GraphCache {
  /// Finds out who refers to whom by a relationship, in chunks, so that `peek` never waits for
  /// long: to be called before that is asked for.
  nonisolated func prepareReferrers(by edge: GraphSchema.Edge) {
    var lists: (any Sendable)?
    while true {
      switch state.withLock({ edge.operations.prepareIndex(&$0.map, &lists) }) {
      case .whole: return
      case .partial: continue
      case .none(let count): lists = edge.operations.makeLists(room: count)
      }
    }
  }

  /// Asks the store who refers to some targets.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the targets.
  ///   - relationship: The relationship by which they are referred to.
  ///   - moment: When it was decided to ask.
  /// - Returns: The records that refer to them: all that there are.
  /// - Throws: `KinshipError.fetchFailed` if the store fails, or cannot read a record that may be
  ///   one of them, unless memory knows it; `.unexpectedRecord` if the answer is wrong.
  func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>,
    since moment: CacheState.Moment
  ) async throws -> [Source] {
    guard let store else { return [] }
    var suspects: Set<Source.ID> = []
    while true {
      let records = try await ask(store, for: targets, by: relationship)
      let absent = try await absent(of: records, in: store, since: moment)
      if absent.isEmpty { return records }
      // Somebody else may have deleted them meanwhile: then the store does not name them again.
      if let invented = absent.first(where: { !suspects.insert($0).inserted }) {
        throw KinshipError.unexpectedRecord(AnyRef(Ref<Source>(invented)))
      }
    }
  }

  private func ask<Source: GraphRecord, Target: GraphRecord>(
    _ store: any BackingStore, for targets: [Ref<Target>],
    by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    let refs = targets.map { AnyRef($0) }
    ReadRecorder.noteReferrerCall(of: self)
    let answer = try await read({ .referrers(type: Source.recordName, to: refs) }) {
      $0 as? KinshipError ?? .fetchFailed(type: Source.recordName, ids: refs, cause: $0)
    } _: {
      do {
        return PartialAnswer(try await store.referrers(to: targets, by: relationship))
      } catch let partial as PartialAnswer<Source> {
        return partial
      }
    }
    // Of a record that memory knows it is known whether it is one of them.
    let unknown = state.withLock { state in
      answer.failures.filter { failure in
        failure.ref.map { state.map.committed($0.id, as: Source.self).isUnknown } ?? true
      }
    }
    let records = try PartialAnswer(answer.records, failures: unknown).whole()
    try Source.requireStable(records)
    try relationship.check(records, referTo: targets)
    return records
  }

  /// Those of some records that are known not to exist, unless the store has them for all that.
  private func absent<R: GraphRecord>(
    of records: [R], in store: any BackingStore, since moment: CacheState.Moment
  ) async throws -> [R.ID] {
    let doubtful = state.withLock { state in
      records.map { $0.id }.filter { state.map.isMissing($0, as: R.self) }
    }
    if doubtful.isEmpty { return [] }
    let found: Set<R.ID>
    do {
      let refs = doubtful.map { AnyRef(Ref<R>($0)) }
      let records = try await read({ .fetch(refs) }) {
        .fetchFailed(type: R.recordName, ids: refs, cause: $0)
      } _: {
        try await store.fetch(R.self, ids: doubtful)
      }
      found = Set(records.map { $0.id })
    } catch let error as CancellationError {
      throw error
    } catch {
      // It does not say that they do not exist.
      return []
    }
    let absent = doubtful.filter { !found.contains($0) }
    return state.withLock { $0.isUnchanged(since: moment) } ? absent : []
  }
}
