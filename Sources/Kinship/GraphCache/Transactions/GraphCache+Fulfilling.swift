/// What a transaction needs, and memory lacks.
extension GraphCache {
  /// Loads what a transaction lacked, and keeps it in memory.
  func fulfil(
    _ lack: Transaction.Lack, _ staging: Staging, _ patience: inout Patience
  ) async throws -> [Lease] {
    var leases: [Lease] = []
    for (number, entry) in schema.entries.enumerated() {
      // All of a type in one batch.
      let lists = lack.needs.filter { $0.type == number }.map(\.ids)
      if lists.isEmpty { continue }
      let need = Need(type: number, ids: entry.operations.distinct(lists).0)
      leases.append(try await fulfil(need, staging, of: entry.type, patience))
    }
    for (edge, need) in lack.referrerNeeds {
      leases.append(
        try await gatherReferrers(
          need, edge, staging, &patience, source: schema.entries[edge.source].type,
          target: schema.entries[need.type].type))
    }
    return leases
  }

  private func fulfil<R: GraphRecord>(
    _ need: Need, _ staging: Staging, of type: R.Type, _ patience: Patience
  ) async throws -> Lease {
    let ids = need.ids as? [R.ID] ?? []
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

  /// Asks the store for those of some ids of which pending writes show something, and of which it is not
  /// known what is committed.
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
    _ need: Need, _ edge: EdgeID, _ staging: Staging, _ patience: inout Patience,
    source: Source.Type, target: Target.Type
  ) async throws -> Lease {
    let relationship = schema[edge]
    let declared = source.relationships.elements[edge.number]
    let targets = (need.ids as? [Target.ID] ?? []).map { Ref<Target>($0) }
    var rounds = Patience()
    while true {
      let (moment, forgettings, pending) = state.withLock { state in
        let place = relationship.place
        return (
          state.moment, relationship.operations.forgettings(place, &state.map),
          state.map.pendingIDs(of: source)
        )
      }
      rounds.note(UInt64(truncatingIfNeeded: forgettings) &+ moment.commits)
      // Who is shown as not referring to the targets may do so in truth.
      if staging.isBeneath { try await learn(pending, of: source) }
      let records = try await referrers(to: targets, by: declared, since: moment)
      let lease = lease(records.map { $0.ref })
      let (isFresh, effects) = state.withLock { state -> (Bool, Effects) in
        guard state.isUnchanged(since: moment), let table = state.map.table(source) else {
          return (false, state.effects())
        }
        // What is known not to exist stays so, whatever the store says of it.
        for record in records where state.map.knowledge(of: record.id, as: source).isUnknown {
          state.map.admit(record, in: table)
        }
        if let number = schema.number(of: source) {
          state.noteChange(.loaded, of: records.lazy.map { $0.id }, source, number: number)
        }
        // Whoever waits for one of them need not wait for another answer.
        let outcome = state.loader.settle(
          records.map { $0.id }, number: edge.source, &state.map)
        return (true, state.effects(of: outcome))
      }
      effects.perform()
      var found: [Source?] = records
      if !isFresh { found = try await load(records.map { $0.id }, of: source) }
      if rounds.isExhausted { patience.exhaust() }
      if patience.isExhausted {
        // What is forgotten again and again is taken as the store has said it.
        noteComplete(targets, edge, staging)
        staging.table(edge.source, of: source).values.withLock { values in
          for record in found.compactMap(\.self) { values.learnt[record.id] = .present(record) }
        }
        return lease
      }
      let isComplete = state.withLock { state in
        let place = relationship.place
        // What was stored since may refer to them, and have left memory again.
        guard relationship.operations.forgettings(place, &state.map) == forgettings,
          !state.hasStored(since: moment)
        else { return false }
        relationship.operations.noteComplete(need.ids, place, staging, &state.map)
        return true
      }
      if isComplete { return lease }
    }
  }

  /// Notes for one transaction that it knows all who refer to some targets, whatever is forgotten.
  private func noteComplete<Target: GraphRecord>(
    _ targets: [Ref<Target>], _ edge: EdgeID, _ staging: Staging
  ) {
    let known = staging.complete.look(edge) as? StagedCompleteness<Target.ID>
    staging.complete.put(
      StagedCompleteness(ids: (known?.ids ?? []).union(targets.map { $0.id }), age: nil), edge)
  }
}

extension GraphCache.Transaction {
  /// What must be in memory before it can be known what a transaction does.
  struct Lack {
    let needs: [Need]
    let referrerNeeds: [(edge: EdgeID, need: Need)]
  }

  /// What the transaction has found lacking, if anything.
  var lack: Lack? {
    needs.isEmpty && referrerNeeds.isEmpty
      ? nil : Lack(needs: needs, referrerNeeds: referrerNeeds)
  }
}
