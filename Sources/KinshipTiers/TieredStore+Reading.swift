public import Kinship

extension TieredStore {
  /// Fetches records by their ids: near those whose copies are young enough, far the others.
  ///
  /// What comes from far is kept before it is answered. Where the far store is out of reach, older
  /// copies are answered, and the ids of which there is none fail with what it has thrown.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist.
  /// - Throws: What the far store throws, if it must be asked; a `PartialAnswer` with its error
  ///   as the cause where some of the records are near. `CancellationError` if the task is
  ///   cancelled.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    guard near.keeps(type), !ids.isEmpty else { return try await far.fetch(type, ids: ids) }
    let (fresh, others) = try await near.copies(of: type, ids, fresh)
    if others.isEmpty { return fresh }
    do {
      return fresh + (try await fetchFar(type, others))
    } catch let partial as PartialAnswer<R> {
      throw PartialAnswer(fresh + partial.records, failures: partial.failures)
    } catch {
      try Task.checkCancellation()
      var (old, lacking) = ([R](), others)
      if far.isOutage(error) {
        (old, lacking) = try await near.copies(of: type, others, inOutage, cause: error)
      }
      let answer = fresh + old
      if answer.isEmpty { throw error }
      return try PartialAnswer(
        answer, failures: lacking.map { .init(Ref($0), cause: error) }
      ).get()
    }
  }

  /// The copies that are young enough for who asks.
  private var fresh: TierUse {
    .fresh(within: AnswerAges.limit ?? near.policy.freshness, at: near.clock.now)
  }

  /// The copies that may be answered while the far store is out of reach.
  private var inOutage: TierUse {
    .inOutage(within: AnswerAges.outageLimit ?? near.policy.outageLimit, at: near.clock.now)
  }

  /// Fetches records from far, and keeps them.
  private func fetchFar<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async throws -> [R] {
    try await asking { moment, now in
      do {
        let records = try await far.fetch(type, ids: ids)
        let found = Set(records.map { $0.id })
        await near.keep(
          records, missing: ids.filter { !found.contains($0) }, since: moment, asOf: now)
        return records
      } catch let partial as PartialAnswer<R> {
        await near.keep(partial.records, since: moment, asOf: now)
        throw partial
      }
    }
  }

  /// Asks the far store, whose answers are of now.
  func asking<Result>(_ body: (_ moment: UInt64, _ now: Int) async throws -> Result)
    async throws -> Result
  {
    let moment = near.state.withLock { $0.begin() }
    defer { near.state.withLock { [near] in $0.end(moment, near.types) } }
    return try await body(moment, near.clock.now)
  }

  /// Fetches records, and those that a plan leads to, from far, unless copies are young enough.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: What the graph leads to from them.
  /// - Returns: What the far store answers; `nil` if it is to be asked by ids, if copies of all the
  ///   ids are young enough, or if the far store is out of reach.
  /// - Throws: What the far store throws.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    if near.keeps(type) {
      await near.open()
      let use = fresh
      let isNear = near.state.withLock { state in
        let copies = state.table(type).copies
        return ids.allSatisfy { id in copies[id].map { use.allows($0) } == true }
      }
      if isNear { return nil }
    }
    return try await asking { moment, now -> FetchedGraph<R>? in
      do {
        guard let graph = try await far.fetch(type, ids: ids, following: plan) else { return nil }
        let found = Set(graph.records.map { $0.id })
        await keep(graph.records, missing: ids.filter { !found.contains($0) }, moment, now)
        func keepRelated<Records: FetchedRecords>(_ records: Records) async {
          await keep(records.records, moment, now)
        }
        for records in graph.related { await keepRelated(records) }
        return graph
      } catch let partial as PartialAnswer<R> {
        await keep(partial.records, moment, now)
        throw partial
      } catch  where far.isOutage(error) {
        return nil
      }
    }
  }

  /// Keeps what has come from far, if its type is kept.
  private func keep<R: GraphRecord>(
    _ records: [R], missing: [R.ID] = [], _ moment: UInt64, _ now: Int
  ) async {
    guard near.keeps(R.self) else { return }
    await near.open()
    await near.keep(records, missing: missing, since: moment, asOf: now)
  }

  /// Has the far store find the records that refer to others, and keeps them.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the others.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: What the far store answers.
  /// - Throws: What it throws: copies cannot tell of all who refer to a record.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await asking { moment, now in
      let found = try await far.referrers(to: targets, by: relationship)
      await keep(found, moment, now)
      return found
    }
  }
}

// MARK: Queries

extension TieredStore {
  /// Has the far store fetch the records that a query asks for, and keeps them and which they are.
  ///
  /// Where the far store is out of reach, a query is answered that was answered before, by the
  /// copies of its records, and of those that were written since and fulfil its filter.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: What the far store throws; a `PartialAnswer` with its error as the cause, where of
  ///   a kept answer some records are near.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    do {
      return try await asking { moment, now in
        do {
          let records = try await far.fetch(query)
          await keep(records, moment, now)
          await keepAnswer(records.map { $0.id }, to: query, moment, now)
          return records
        } catch let partial as PartialAnswer<R> {
          await keep(partial.records, moment, now)
          throw partial
        }
      }
    } catch  where far.isOutage(error) {
      return try await keptAnswer(to: query, error).get()
    }
  }

  /// Has the far store count the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: How many there are; of a kept answer, where the far store is out of reach.
  /// - Throws: What ``fetch(_:)`` throws.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    do {
      return try await far.count(query)
    } catch  where far.isOutage(error) {
      return try await keptAnswer(to: query, error).get().count
    }
  }

  /// Has the far store find the refs of the records that a query asks for.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs; of a kept answer, where the far store is out of reach.
  /// - Throws: What ``fetch(_:)`` throws.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    do {
      return try await far.refs(query)
    } catch  where far.isOutage(error) {
      return try await keptAnswer(to: query, error).get().map { $0.ref }
    }
  }

  /// Has the far store count how many records have which value of a property.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: By each value, how many records have it; of a kept answer, where the far store is
  ///   out of reach.
  /// - Throws: What ``fetch(_:)`` throws.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    do {
      return try await far.count(query, groupedBy: property)
    } catch  where far.isOutage(error) {
      let records = try await keptAnswer(to: query, error).get()
      return ValueCounts(of: property, in: records).dictionary
    }
  }

  /// Whether the far store finds the records that fulfil a filter.
  ///
  /// - Parameter filter: The filter.
  /// - Returns: What the far store says.
  public func canFilter<R: GraphRecord>(by filter: RecordFilter<R>) -> Bool {
    far.canFilter(by: filter)
  }

  /// Keeps which records an answer has, if it can be told which query it is the answer to.
  private func keepAnswer<R: GraphRecord>(
    _ ids: [R.ID], to query: RecordQuery<R>, _ moment: UInt64, _ now: Int
  ) async {
    guard near.keeps(R.self), ids.count < near.policy.count, let words = query.keptWords else {
      return
    }
    await near.keep([TierAnswer<R>(id: words, ids: ids)], since: moment, asOf: now)
  }

  /// The answer to a query as it was kept.
  ///
  /// - Throws: The cause, if it was not kept, or none of its records is near.
  private func keptAnswer<R: GraphRecord>(
    to query: RecordQuery<R>, _ cause: any Error
  ) async throws -> PartialAnswer<R> {
    guard near.keeps(R.self), let words = query.keptWords else { throw cause }
    let answers = try await near.copies(
      of: TierAnswer<R>.self, [words], inOutage, isAnswer: false)
    guard let ids = answers.records.first?.ids else { throw cause }
    let (records, lacking) = try await near.copies(of: R.self, ids, inOutage, cause: cause)
    if records.isEmpty, !lacking.isEmpty { throw cause }
    return PartialAnswer(
      try query.answer(from: records), failures: lacking.map { .init(Ref($0), cause: cause) })
  }
}

extension RecordQuery {
  /// The words under which an answer to the query is kept; `nil` where they do not tell it from all
  /// others, are many, or its front is left out: what was written since could be part of that.
  fileprivate var keptWords: String? {
    guard offset == 0, let words = words?.utf8.count ?? .max <= 1_000 ? words : nil else {
      return nil
    }
    return "\(words);\(limit.map(String.init) ?? "all")"
  }
}
