public import Kinship

extension FileStore {
  /// Fetches records by id.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in the order of the ids.
  /// - Throws: `PartialAnswer` if some records cannot be read. Its causes are
  ///   `KinshipError.file(.damaged)` for a record whose bytes have changed on disk,
  ///   `.file(.failed)` or `.untranslatable`; if one record was requested, that cause alone is
  ///   thrown. Also `.invalidSchema(.unknownType)`, `.misuse(.closed)`; `CancellationError` if the
  ///   task is cancelled.
  /// - Complexity: O(*n* log *n*) in the ids. Records that are close together in a file are read
  ///   together.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try Task.checkCancellation()
    return try open { catalog throws(KinshipError) in
      try catalog.reading(ids, of: type)
    }.answer().get(of: ids.count)
  }

  /// Fetches the records that match a query.
  ///
  /// The first query that asks for an order reads all records of the type and builds an index,
  /// which is then maintained; up to four orders for each type. The position of a record that
  /// cannot be read is unknown, so it is among the failures of each result in that order.
  ///
  /// The indexes that the type declares (`RecordIndexes`) are maintained too. The first query that
  /// can use one builds all of them: it reads all records of the type, and their keys stay in
  /// memory. Unique indexes are built when the store is opened.
  ///
  /// For any other filter, records are read one after another, in the order of the query, until as
  /// many match as the query asks for. Without an order or a limit, that is all records of the
  /// type. At most some hundred records that do not match are in memory at a time. The start of a
  /// page is looked up in the order.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: The errors that `fetch` by ids throws.
  /// - Complexity: O(*n*) in the returned records, and in those that are skipped at the front or by
  ///   the filter.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try Task.checkCancellation()
    if R.indexes.canServe(query), let answer = try await answerByIndex(query) {
      return try answer.get()
    }
    if !query.selection.isAll { return try await filtered(query).get() }
    if query.order.isEmpty {
      var all = try open { catalog throws(KinshipError) in try catalog.rows(of: R.self) }.reading
      // If only their number matters, it does not matter which are skipped.
      if !query.isUnlimited { all = all.selecting(query.sliced(all.order)) }
      return try all.answer().get()
    }
    return try await indexed(.order(query.order), OrderedIndex(query.order)) { index in
      index.ids(from: query.offset, limit: query.limit)
    }.get()
  }

  /// Counts the records that match a query.
  ///
  /// - Parameter query: The query.
  /// - Returns: The number of records.
  /// - Throws: The errors of ``fetch(_:)``.
  /// - Complexity: That of ``fetch(_:)``. If an index that the type declares finds exactly the
  ///   records that the filter selects, and all records of the type can be read, none is read.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try Task.checkCancellation()
    if R.indexes.canServe(query), try await makeDeclaredIndexes(of: R.self).isEmpty {
      let count = try open { catalog throws(KinshipError) in
        try catalog.declaredIndexes(of: R.self).flatMap { query.count(in: $0) }
      }
      if let count { return count }
    }
    return try await fetch(query.unordered).count
  }

  /// Finds the records that match a query by an index that their type declares.
  private func answerByIndex<R: GraphRecord>(
    _ query: RecordQuery<R>
  ) async throws -> PartialAnswer<R>? {
    let failures = try await makeDeclaredIndexes(of: R.self)
    let best = try open { catalog throws(KinshipError) in
      try catalog.declaredIndexes(of: R.self).flatMap { query.plan(in: $0) }
    }
    guard var plan = best else { return nil }
    while true {
      // There may be commits between two walks through the index.
      var versions: Set<UInt64> = []
      var lacking = failures
      let found = try plan.answer(to: query) { walk, skipped, records in
        let (count, named, version) = try open { catalog throws(KinshipError) in
          let ids = try catalog.declaredIndexes(of: R.self)?.ids(in: plan.index, walk) ?? []
          let named = try catalog.reading(ids.dropFirst(skipped), of: R.self)
          return (ids.count, named, catalog.version)
        }
        versions.insert(version)
        for range in Chunk.ranges(named.ids.count) {
          try Task.checkCancellation()
          let batch = try named.selecting(range).answer()
          records += batch.records
          lacking += batch.failures
        }
        return count
      }
      if versions.count <= 1 { return PartialAnswer(found, failures: lacking) }
      plan = plan.inOneWalk
    }
  }

  /// Builds the declared indexes of a type, and returns the unreadable records that they lack.
  private func makeDeclaredIndexes<R: GraphRecord>(
    of type: R.Type
  ) async throws -> [PartialAnswer<R>.Failure] {
    try await reading(.declared, DeclaredIndexes<R>()) { _ in [] }.lacking
  }

  func makeUniqueIndexes() async throws {
    func make<R: GraphRecord>(_ type: R.Type) async throws {
      guard R.indexes.hasUnique else { return }
      _ = try await makeDeclaredIndexes(of: type)
      try open { catalog throws(KinshipError) in
        if let index = try catalog.declaredIndexes(of: type) { try R.indexes.check(index) }
      }
    }
    for type in schema.types { try await make(type) }
  }

  /// Finds the records that match a query's filter, as many as it asks for.
  private func filtered<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> PartialAnswer<R> {
    if query.order.isEmpty {
      let all = try open { catalog throws(KinshipError) in try catalog.rows(of: R.self) }.reading
      return try matching(query, in: all.selecting(all.order))
    }
    // Most often this many are enough; otherwise all are read.
    var limit = query.end.map { max(Chunk.large, $0 > .max / 4 ? .max : $0 * 4) }
    while true {
      let (named, lacking) = try await reading(.order(query.order), OrderedIndex(query.order)) {
        index in
        query.start.map { index.ids(after: $0, limit: limit) } ?? index.ids(from: 0, limit: limit)
      }
      let found = try matching(query, in: named)
      guard let end = query.end, let most = limit, found.records.count + query.offset < end,
        named.ids.count >= most
      else { return PartialAnswer(found.records, failures: found.failures + lacking) }
      limit = nil
    }
  }

  /// Reads the records that match a query, in their order.
  private func matching<R: GraphRecord>(
    _ query: RecordQuery<R>, in all: RecordReading<R>
  ) throws -> PartialAnswer<R> {
    var records: [R] = []
    var failures: [PartialAnswer<R>.Failure] = []
    for range in Chunk.ranges(all.ids.count) where records.count < query.end ?? .max {
      try Task.checkCancellation()
      let batch = try all.selecting(range).answer()
      QueryTrace.record { $0.recordsLookedAt += batch.records.count }
      records += try query.selection.matching(in: batch.records)
      failures += batch.failures
    }
    return PartialAnswer(query.sliced(records), failures: failures)
  }

  /// Returns that the store answers every query.
  ///
  /// - Parameter query: The query.
  /// - Returns: `whole`.
  public func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> { .complete }

  /// Finds the records that refer to any of the targets.
  ///
  /// The first call for a relationship reads all records of the type and builds an index, which is
  /// then maintained.
  ///
  /// A record that cannot be read is among the failures, because nobody can know its refs. It is
  /// left out only if its bytes are intact and none of its fields has the id of a target.
  ///
  /// - Parameters:
  ///   - targets: The refs of the records that are referred to.
  ///   - relationship: The relationship that refers to them.
  /// - Returns: The records that refer to at least one of them, in any order, each once.
  /// - Throws: The errors that `fetch` by ids throws.
  /// - Complexity: O(*n* log *n*) in the records that are found.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try Task.checkCancellation()
    let key = IndexKey.referrers(
      IndexKey.Property(path: relationship.property), to: ObjectIdentifier(Target.self))
    let answer = try await indexed(key, TargetIndex<Source, Target>(relationship)) { index in
      Array(index.sources(of: targets))
    }
    let doubtful = answer.failures.compactMap { $0.ref?.id }
    if doubtful.isEmpty { return try answer.get() }
    var fields: Set<FieldValue>? = []
    for target in targets {
      let values = FieldValue.all(of: target.id)
      if let values { fields?.formUnion(values) } else { fields = nil }
    }
    let suspects = try open { catalog throws(KinshipError) in
      try catalog.reading(doubtful, of: Source.self)
    }.ids(mayReferTo: fields)
    return try PartialAnswer(
      answer.records,
      failures: answer.failures.filter { $0.ref.map { suspects.contains($0.id) } ?? true }
    ).get()
  }

  /// Reads the records whose ids an index returns, which is filled first if there is none yet.
  ///
  /// The records that could not be indexed are among the failures.
  private func indexed<R: GraphRecord, Index: RecordIndex<R>>(
    _ key: IndexKey, _ empty: Index, _ body: (Index) -> [R.ID]
  ) async throws -> PartialAnswer<R> {
    let (named, lacking) = try await reading(key, empty, body)
    let answer = try named.answer()
    return PartialAnswer(answer.records, failures: answer.failures + lacking)
  }

  /// The reads of the records whose ids an index returns, and the records that could not be
  /// indexed.
  private func reading<R: GraphRecord, Index: RecordIndex<R>>(
    _ key: IndexKey, _ empty: Index, _ body: (Index) -> [R.ID]
  ) async throws -> (named: RecordReading<R>, lacking: [PartialAnswer<R>.Failure]) {
    while true {
      typealias Found = (named: RecordReading<R>, lacking: RecordReading<R>)
      let found = try open { catalog throws(KinshipError) -> Found? in
        let locations = try catalog.locations(of: R.self)
        guard let index = locations.index(key) as? Index else { return nil }
        return (
          try catalog.reading(body(index), of: R.self),
          try catalog.reading(locations.unreadable(key), of: R.self)
        )
      }
      guard let found else {
        try await builder.build(key, empty, in: self)
        continue
      }
      let lacking = try found.lacking.answer()
      if lacking.records.isEmpty { return (found.named, lacking.failures) }
      // They may be readable by now, if a failed disk works again.
      try open { catalog throws(KinshipError) in
        let locations = try catalog.locations(of: R.self)
        for record in lacking.records { locations.recover(record, for: key) }
      }
    }
  }
}
