/// Loading the data that a transaction needs and memory lacks.
extension GraphCache {
  /// Loads the data that a transaction lacked, and keeps it in memory.
  func loadMissing(
    _ missing: MissingData, _ staging: Staging, _ reserved: ReservedIDs,
    _ rerunBudget: inout RerunBudget
  ) async throws -> [Lease] {
    var leases: [Lease] = []
    for number in missing.reservedIDs {
      try await reserve(number, of: schema.type(number), for: reserved)
    }
    // One batch for each type.
    for need in schema.distinct(missing.records) {
      leases.append(try await loadMissing(need, staging, of: schema.type(need.type), rerunBudget))
    }
    // One call for each relationship.
    let byEdge = Dictionary(grouping: missing.referrers, by: \.edge).sorted { $0.key < $1.key }
    for (edge, lists) in byEdge {
      for targets in schema.distinct(lists.map(\.targets)) {
        leases.append(
          try await gatherReferrers(
            targets, schema[edge], staging, &rerunBudget, source: schema.type(edge.source),
            target: schema.type(targets.type)))
      }
    }
    return leases
  }

  private func loadMissing<R: GraphRecord>(
    _ need: IDs, _ staging: Staging, of type: R.Type, _ rerunBudget: RerunBudget
  ) async throws -> Lease {
    let ids = need.of(type)
    let lease = lease(on: [need])
    let stored = staging.usesBaseValues ? try await loadBaseValues(ids, of: type) : [:]
    let records = try await load(ids, of: type)
    staging.table(need.type, of: type).values.withLock { values in
      for (id, shown) in zip(ids, records) {
        // For pending records, memory has the shown value.
        let record = stored[id] ?? shown
        // A record that exists is in memory, unless it is dropped again and again.
        if record == nil { values.storeAnswers[id] = .missing }
        if let record, rerunBudget.isExhausted { values.storeAnswers[id] = .present(record) }
      }
    }
    return lease
  }

  /// Asks the store for the committed values of records that pending writes show, if these are
  /// unknown.
  ///
  /// Only the transaction that has the turn may ask, because no one else commits meanwhile.
  ///
  /// - Returns: The store's values of the records that it was asked for.
  @discardableResult
  private func loadBaseValues<R: GraphRecord>(_ ids: [R.ID], of type: R.Type) async throws -> [R.ID:
    R?]
  {
    let unknown = state.withLock { $0.map.beginLoadingBase(ids, as: type) }
    guard let store, !unknown.isEmpty else { return [:] }
    do {
      let records = try await fetch(type, ids: unknown, from: store)
      state.withLock { state in
        for (id, record) in zip(unknown, records) {
          state.map.setLoadedBase(record.map { .present($0) } ?? .missing, of: id, as: type)
        }
      }
      return Dictionary(zip(unknown, records)) { first, _ in first }
    } catch {
      invalidate(unknown, of: type)
      throw error
    }
  }

  /// Returns the store's values for some ids.
  func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], from store: any BackingStore
  ) async throws -> [R?] {
    let refs = ids.map { AnyRef(Ref<R>($0)) }
    let answer = try await read({ .fetch(refs) }) {
      .fetchFailed(type: R.recordName, ids: refs, cause: $0)
    } _: {
      try await PartialAnswer { try await store.fetch(type, ids: ids) }
    }
    let records = try answer.orThrow()
    do throws(UnexpectedValue) {
      return try R.match(records, records.map { $0.id }, to: ids).map {
        $0 < 0 ? nil : records[Int($0)]
      }
    } catch {
      throw R.unexpected(error)
    }
  }

  /// Loads all referrers of some targets.
  func gatherReferrers<Source: GraphRecord, Target: GraphRecord>(
    _ targets: IDs, _ edge: GraphSchema.Edge, _ staging: Staging, _ rerunBudget: inout RerunBudget,
    source: Source.Type, target: Target.Type, passing isPassing: Bool = false
  ) async throws -> Lease {
    let declared = source.relationships.elements[edge.id.number]
    let refs = targets.of(target).map { Ref<Target>($0) }
    var rounds = RerunBudget()
    while true {
      let (moment, invalidations, pending, turn) = state.withLock { state in
        (
          state.moment, edge.operations.invalidations(&state.map),
          state.map.pendingIDs(of: source), edge.operations.beginAsking(&state.map)
        )
      }
      defer { state.withLock { edge.operations.endAsking(&$0.map) } }
      rounds.recordInvalidations(UInt64(truncatingIfNeeded: invalidations) &+ moment.commits)
      // A record that does not refer to the targets as shown may do so in its committed value.
      if staging.usesBaseValues { try await loadBaseValues(pending, of: source) }
      let records = try await referrers(to: refs, by: declared, since: moment)
      let ids = IDs(records.map { $0.id }, of: edge.id.source)
      let lease = lease(on: [ids], passing: isPassing)
      let (isFresh, effects) = state.withLock { state -> (Bool, Effects) in
        let taken = state.merge(records, number: edge.id.source, since: moment) { map, table in
          // A known-missing id stays missing, whatever the store returns.
          map.addLoaded(records, records.indices, passing: isPassing, in: table)
        }
        return (taken != nil, state.effects(of: taken?.1 ?? Loader.Outcome()))
      }
      effects.perform()
      var found: [Source?] = records
      if !isFresh { found = try await load(ids.of(source), of: source, passing: isPassing) }
      if rounds.isExhausted { rerunBudget.exhaust() }
      if rerunBudget.isExhausted {
        // If records are dropped again and again, use the store's answer as it is.
        edge.operations.addComplete(targets, regardlessOfInvalidationsIn: staging)
        staging.table(edge.id.source, of: source).values.withLock { values in
          for case let record? in found { values.storeAnswers[record.id] = .present(record) }
        }
        return lease
      }
      let isComplete = state.withLock { state in
        // Records stored since then may refer to the targets, and may have left memory again.
        guard edge.operations.invalidations(&state.map) == invalidations,
          !state.hasStored(since: moment),
          !edge.operations.hasLostReferrers(to: targets, since: turn, &state.map)
        else { return false }
        edge.operations.addComplete(targets, staging, &state.map)
        return true
      }
      if isComplete { return lease }
    }
  }
}
