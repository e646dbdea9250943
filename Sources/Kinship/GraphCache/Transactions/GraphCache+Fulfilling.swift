/// What a transaction needs, and memory lacks.
extension GraphCache {
  /// Loads what a transaction lacked, and keeps it in memory.
  func fulfil(
    _ lack: Transaction.Lack, _ staging: Staging, _ patience: inout Patience
  ) async throws -> [Lease] {
    var leases: [Lease] = []
    for number in lack.idNeeds {
      try await reserve(number, of: schema.type(number), for: lack.reserved)
    }
    // All of a type in one batch.
    for need in schema.distinct(lack.needs) {
      leases.append(try await fulfil(need, staging, of: schema.type(need.type), patience))
    }
    // All of a relationship in one call.
    let byEdge = Dictionary(grouping: lack.referrerNeeds, by: \.edge).sorted { $0.key < $1.key }
    for (edge, lists) in byEdge {
      for targets in schema.distinct(lists.map(\.targets)) {
        leases.append(
          try await gatherReferrers(
            targets, schema[edge], staging, &patience, source: schema.type(edge.source),
            target: schema.type(targets.type)))
      }
    }
    return leases
  }

  private func fulfil<R: GraphRecord>(
    _ need: IDs, _ staging: Staging, of type: R.Type, _ patience: Patience
  ) async throws -> Lease {
    let ids = need.of(type)
    let lease = lease(on: [need])
    let said = staging.isBeneath ? try await learn(ids, of: type) : [:]
    let records = try await load(ids, of: type)
    staging.table(need.type, of: type).values.withLock { values in
      for (id, shown) in zip(ids, records) {
        // Of what is pending, memory has what is shown.
        let record = said[id] ?? shown
        // What is present is in memory, unless it is forgotten again and again.
        if record == nil { values.learnt[id] = .missing }
        if let record, patience.isExhausted { values.learnt[id] = .present(record) }
      }
    }
    return lease
  }

  /// Asks the store for those of some ids of which pending writes show something, and of which it
  /// is not known what is committed.
  ///
  /// Only who has the turn may ask: nobody else has the store make changes meanwhile.
  ///
  /// - Returns: What the store has said of those that it was asked for.
  @discardableResult
  private func learn<R: GraphRecord>(_ ids: [R.ID], of type: R.Type) async throws -> [R.ID: R?] {
    let unknown = state.withLock { $0.map.beginLearning(ids, as: type) }
    guard let store, !unknown.isEmpty else { return [:] }
    do {
      let records = try await fetch(type, ids: unknown, from: store)
      state.withLock { state in
        for (id, record) in zip(unknown, records) {
          state.map.learn(record.map { .present($0) } ?? .missing, of: id, as: type)
        }
      }
      return Dictionary(zip(unknown, records)) { first, _ in first }
    } catch {
      invalidate(unknown, of: type)
      throw error
    }
  }

  /// What the store has of some ids.
  private func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], from store: any BackingStore
  ) async throws -> [R?] {
    let refs = ids.map { AnyRef(Ref<R>($0)) }
    let answer = try await read({ .fetch(refs) }) {
      .fetchFailed(type: R.recordName, ids: refs, cause: $0)
    } _: {
      do {
        return PartialAnswer(try await store.fetch(type, ids: ids))
      } catch let partial as PartialAnswer<R> {
        return partial
      }
    }
    let records = try answer.whole()
    do throws(UnexpectedValue) {
      return try R.match(records, records.map { $0.id }, to: ids).map {
        $0 < 0 ? nil : records[Int($0)]
      }
    } catch {
      throw R.unexpected(error)
    }
  }

  /// Brings all who refer to some targets into memory.
  func gatherReferrers<Source: GraphRecord, Target: GraphRecord>(
    _ targets: IDs, _ edge: GraphSchema.Edge, _ staging: Staging, _ patience: inout Patience,
    source: Source.Type, target: Target.Type, passing isPassing: Bool = false
  ) async throws -> Lease {
    let declared = source.relationships.elements[edge.id.number]
    let refs = targets.of(target).map { Ref<Target>($0) }
    var rounds = Patience()
    while true {
      let (moment, forgettings, pending, turn) = state.withLock { state in
        (
          state.moment, edge.operations.forgettings(&state.map),
          state.map.pendingIDs(of: source), edge.operations.beginAsking(&state.map)
        )
      }
      defer { state.withLock { edge.operations.endAsking(&$0.map) } }
      rounds.note(UInt64(truncatingIfNeeded: forgettings) &+ moment.commits)
      // Who is shown as not referring to the targets may do so in truth.
      if staging.isBeneath { try await learn(pending, of: source) }
      let records = try await referrers(to: refs, by: declared, since: moment)
      let ids = IDs(records.map { $0.id }, of: edge.id.source)
      let lease = lease(on: [ids], passing: isPassing)
      let (isFresh, effects) = state.withLock { state -> (Bool, Effects) in
        let taken = state.takeIn(records, number: edge.id.source, since: moment) { map, table in
          // What is known not to exist stays so, whatever the store says of it.
          for record in records where map.knowledge(of: record.id, as: source).isUnknown {
            map.admit(record, in: table)
          }
        }
        return (taken != nil, state.effects(of: taken?.1 ?? Loader.Outcome()))
      }
      effects.perform()
      var found: [Source?] = records
      if !isFresh { found = try await load(ids.of(source), of: source, passing: isPassing) }
      if rounds.isExhausted { patience.exhaust() }
      if patience.isExhausted {
        // What is forgotten again and again is taken as the store has said it.
        edge.operations.noteComplete(targets, whateverIsForgottenIn: staging)
        staging.table(edge.id.source, of: source).values.withLock { values in
          for case let record? in found { values.learnt[record.id] = .present(record) }
        }
        return lease
      }
      let isComplete = state.withLock { state in
        // What was stored since may refer to them, and have left memory again.
        guard edge.operations.forgettings(&state.map) == forgettings,
          !state.hasStored(since: moment),
          !edge.operations.hasLostReferrers(to: targets, since: turn, &state.map)
        else { return false }
        edge.operations.noteComplete(targets, staging, &state.map)
        return true
      }
      if isComplete { return lease }
    }
  }
}

extension GraphCache.Transaction {
  /// What must be in memory before it can be known what a transaction does.
  struct Lack {
    let needs: [IDs]
    let referrerNeeds: [(edge: EdgeID, targets: IDs)]
    let idNeeds: [TypeNumber]
    /// Where ids are to be reserved.
    let reserved: ReservedIDs
  }

  /// Whether data is lacking, so that nothing of this run of the closure counts.
  var isIncomplete: Bool { !needs.isEmpty || !referrerNeeds.isEmpty || !idNeeds.isEmpty }

  /// What the transaction has found lacking, if anything.
  var lack: Lack? {
    if !isIncomplete { return nil }
    return Lack(
      needs: needs, referrerNeeds: referrerNeeds, idNeeds: idNeeds,
      reserved: reserved ?? ReservedIDs())
  }
}
