extension GraphCache {
  /// Indexes the referrers of a relationship, in chunks, so that `peek` never waits for long.
  ///
  /// Call it before you ask for referrers.
  nonisolated func prepareReferrers(by edge: GraphSchema.Edge) {
    var lists: (any Sendable)?
    while true {
      switch state.withLock({ edge.operations.prepareIndex(&$0.map, &lists) }) {
      case .complete: return
      case .partial: continue
      case .none(let count): lists = edge.operations.makeLists(room: count)
      }
    }
  }

  /// Asks the store for the referrers of some targets.
  ///
  /// - Parameters:
  ///   - targets: Refs to the targets.
  ///   - relationship: The relationship through which records refer to them.
  ///   - moment: When it was decided to ask.
  /// - Returns: All records that refer to them.
  /// - Throws: `KinshipError.fetchFailed` if the store fails, or cannot read a record that may be
  ///   one of them, unless memory knows it; `.unexpectedRecord` if the answer is invalid.
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
      // If someone else has deleted them meanwhile, the store does not name them again.
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
    ReadRecorder.countReferrerCall(of: self)
    let answer = try await read({ .referrers(type: Source.recordName, to: refs) }) {
      $0 as? KinshipError ?? .fetchFailed(type: Source.recordName, ids: refs, cause: $0)
    } _: {
      try await PartialAnswer { try await store.referrers(to: targets, by: relationship) }
    }
    // For a record in memory it is known whether it is one of them.
    let unknown = state.withLock { state in
      answer.failures.filter { failure in
        failure.ref.map { state.map.committed($0.id, as: Source.self).isUnknown } ?? true
      }
    }
    let records = try PartialAnswer(answer.records, failures: unknown).orThrow()
    try Source.requireStable(records)
    try relationship.check(records, referTo: targets)
    return records
  }

  /// Returns the records that are known to be missing, unless the store has them nevertheless.
  private func absent<R: GraphRecord>(
    of records: [R], in store: any BackingStore, since moment: CacheState.Moment
  ) async throws -> [R.ID] {
    let doubtful = state.withLock { state in
      records.map { $0.id }.filter { state.map.isMissing($0, as: R.self) }
    }
    if doubtful.isEmpty { return [] }
    let found: [R?]
    do {
      found = try await fetch(R.self, ids: doubtful, from: store)
    } catch let error as CancellationError {
      throw error
    } catch {
      // A failed fetch does not prove that they are missing.
      return []
    }
    let absent = zip(doubtful, found).filter { $1 == nil }.map { $0.0 }
    return state.withLock { $0.isUnchanged(since: moment) } ? absent : []
  }
}
