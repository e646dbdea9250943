public import Kinship

extension TieredStore {
  /// Fetches records by id: fresh copies from the near store, the others from the far store.
  ///
  /// Records from the far store are kept before they are returned. If the far store is unreachable,
  /// older copies are returned, and the ids without a copy fail with its error.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist.
  /// - Throws: The errors of the far store, if it must be asked; if the near store has some of the
  ///   records, a `PartialAnswer` with that error as the cause; `CancellationError` if the task is
  ///   cancelled.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    guard near.keeps(type), !ids.isEmpty else { return try await far.fetch(type, ids: ids) }
    let began = near.state.withLock { $0.begin() }
    defer { near.state.withLock { [near] in $0.end(began, near.types) } }
    let (fresh, others) = try await near.copies(of: type, ids, fresh)
    if others.isEmpty { return fresh }
    let answer: [R]
    do {
      answer = try await fetchFar(type, others)
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
    // A write since may be in the answer of the far store, and is not in the copies read before.
    return isCurrent(fresh, since: began) ? fresh + answer : try await far.fetch(type, ids: ids)
  }

  /// Whether no write of the records has begun since a moment.
  private func isCurrent<R: GraphRecord>(_ copies: [R], since began: UInt64) -> Bool {
    if copies.isEmpty { return true }
    return near.state.withLock { state in
      let table = state.table(R.self)
      return copies.allSatisfy { table.admits($0.id, at: began) }
    }
  }

  /// Allows copies that are fresh enough for the reader.
  private var fresh: TierUse {
    let limit = AnswerAges.limit ?? near.policy.freshness
    return TierUse(isInOutage: false, limit: limit.microseconds, now: near.now)
  }

  /// Allows the copies that may be returned while the far store is unreachable.
  private var inOutage: TierUse {
    let limit = AnswerAges.outageLimit ?? near.policy.outageLimit
    return TierUse(isInOutage: true, limit: limit?.microseconds ?? .max, now: near.now)
  }

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

  /// Calls the far store; its results have the age zero.
  func asking<Result>(_ body: (_ moment: UInt64, _ now: Int) async throws -> Result)
    async throws -> Result
  {
    let moment = near.state.withLock { $0.begin() }
    defer { near.state.withLock { [near] in $0.end(moment, near.types) } }
    return try await body(moment, near.now)
  }

  /// Fetches records with the related records of a plan from the far store, unless copies are fresh
  /// enough.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  ///   - plan: The fetch plan.
  /// - Returns: The result of the far store; `nil` if the caller must fetch by id, if copies of all
  ///   the ids are fresh enough, or if the far store is unreachable.
  /// - Throws: The errors of the far store.
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

  /// Keeps a record from the far store, if its type is kept.
  private func keep<R: GraphRecord>(
    _ records: [R], missing: [R.ID] = [], _ moment: UInt64, _ now: Int
  ) async {
    guard near.keeps(R.self) else { return }
    await near.open()
    await near.keep(records, missing: missing, since: moment, asOf: now)
  }

  /// Finds the records that refer to any of the targets in the far store, and keeps them.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  /// - Returns: The result of the far store.
  /// - Throws: The errors of the far store: copies cannot answer, because they need not include all
  ///   referrers.
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
  /// Fetches the records that match a query from the far store, and keeps the records and the ids
  /// of the result.
  ///
  /// If the far store is unreachable, a query that was answered before is answered from the copies:
  /// those of its result, and those of records that were written since and match its filter. They
  /// are filtered and sorted again. The result names the records without a copy. The query must
  /// have no closure, no search within texts and no offset, so that it can be written as text.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: The errors of the far store; if the near store has some records of a stored result,
  ///   a `PartialAnswer` with that error as the cause.
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

  /// Counts the records that match a query in the far store.
  ///
  /// - Parameter query: The query.
  /// - Returns: The number of records; from a stored result if the far store is unreachable.
  /// - Throws: The errors that ``fetch(_:)`` throws.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    do {
      return try await far.count(query)
    } catch  where far.isOutage(error) {
      return try await keptAnswer(to: query, error).get().count
    }
  }

  /// Finds the refs of the records that match a query in the far store.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs; from a stored result if the far store is unreachable.
  /// - Throws: The errors that ``fetch(_:)`` throws.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    do {
      return try await far.refs(query)
    } catch  where far.isOutage(error) {
      return try await keptAnswer(to: query, error).get().map { $0.ref }
    }
  }

  /// Counts the records that match a query for each value of a property, in the far store.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: The number of records for each value; from a stored result if the far store is
  ///   unreachable.
  /// - Throws: The errors that ``fetch(_:)`` throws.
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

  /// Stores the ids of a query result, if the query has a unique textual form.
  private func keepAnswer<R: GraphRecord>(
    _ ids: [R.ID], to query: RecordQuery<R>, _ moment: UInt64, _ now: Int
  ) async {
    guard near.keeps(R.self), ids.count < near.policy.count, let words = query.keptWords else {
      return
    }
    await near.keep([TierAnswer<R>(id: words, ids: ids)], since: moment, asOf: now)
  }

  /// The stored result of a query; throws the cause if there is none, or none of its records.
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
  /// The text that identifies a stored result; `nil` if there is none, or if the query skips
  /// records at the front: records written since could belong there.
  fileprivate var keptWords: String? { offset == 0 ? answerKey : nil }
}
