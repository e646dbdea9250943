extension GraphCache {
  /// Finds the records that a query asks the backing store for.
  ///
  /// ```swift
  /// let firstTwenty = Query<Person>().sorted(by: \.name).sorted(by: \.id).limited(to: 20)
  /// let persons = try await cache.find(firstTwenty)
  /// ```
  ///
  /// The store says which records these are, and in which order; what memory knows of them is what you
  /// get. The records come into memory and become the most recently used, in order. Without a store, the
  /// records in memory are all that there are.
  ///
  /// Writes that the store has not made yet, pending ones, do not count among what it is asked.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query; none that memory knows not to exist.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.unknownType` if the type is
  ///   not in the schema, and `CancellationError` at once when the task is cancelled.
  /// - Complexity: O(*n*) in the records, besides what it takes the store. If anything is written
  ///   meanwhile, what is absent is fetched once more, by ids.
  public func find<R: Record>(_ query: Query<R>) async throws -> [R] {
    let number = try schema.requiredNumber(of: R.self)
    try Task.checkCancellation()
    guard let store else {
      var records: [R] = []
      forEachRecord(of: R.self) { records.append($0) }
      return query.answer(from: records)
    }
    let moment = state.withLock { $0.moment }
    let answer = try await ask(store, query)
    /// What memory knows of the answer up to `start`; nothing while that is the answer itself.
    var records: [R]?
    var start = 0
    while start < answer.count {
      // In portions, so that `peek` never waits for long.
      let range = start..<min(start + 256, answer.count)
      switch adopt(answer, range, number: number, since: moment) {
      case .late: return try await load(answer.map { $0.id }, of: R.self).compactMap(\.self)
      case .asAnswered: records? += answer[range]
      case .otherwise(let current): records = (records ?? Array(answer[..<start])) + current
      }
      start = range.upperBound
    }
    return records ?? answer
  }

  /// What memory makes of a part of an answer.
  private enum Adoption<R: Record>: Sendable {
    /// Something has been written since the store was asked: nothing was taken in.
    case late
    case asAnswered
    /// Memory knows some of the records otherwise: these are what it knows.
    case otherwise([R])
  }

  private func adopt<R: Record>(
    _ answer: [R], _ range: Range<Int>, number: Int, since moment: CacheState.Moment
  ) -> Adoption<R> {
    let (adoption, effects) = state.withLock { state -> (Adoption<R>, Effects) in
      guard state.isUnchanged(since: moment) else { return (.late, state.effects()) }
      let (loaded, known) = state.map.operations[number].adopt(&state.map, answer, range)
      state.loader.noteLoaded(loaded)
      let ids = answer[range].lazy.map { $0.id }
      state.noteChange(.loaded, of: ids, R.self, number: number)
      // Whoever waits for one of them need not wait for another answer.
      let outcome = state.loader.settle(Array(ids), number: number, &state.map)
      return (
        (known as? [R]).map { .otherwise($0) } ?? .asAnswered, state.effects(of: outcome)
      )
    }
    effects.perform()
    return adoption
  }

  private func ask<R: Record>(
    _ store: any BackingStore, _ query: Query<R>
  ) async throws -> [R] {
    state.withLock { $0.loader.noteQuery() }
    return try await read({ .query(type: R.recordName) }) {
      .fetchFailed(type: R.recordName, ids: [], cause: $0)
    } _: {
      try await store.fetch(query)
    }
  }
}

extension CacheState {
  /// A moment before the store is asked.
  struct Moment: Hashable {
    fileprivate let version: UInt64
    fileprivate let storeWrites: UInt64
  }

  /// This moment.
  var moment: Moment { Moment(version: map.version, storeWrites: storeWrites) }

  /// Whether what the store was asked for at a moment is as good as memory: nothing has been written
  /// since, here or there.
  func isUnchanged(since moment: Moment) -> Bool { !isStoreWriting && self.moment == moment }
}
