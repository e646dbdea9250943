extension GraphCache {
  /// Runs a query in the store, whatever records are in memory.
  ///
  /// It returns when the new values are in memory. The records of the result are those of the
  /// store, and records that memory counted as part of the result are reloaded by their ids. Values
  /// equal to the old ones wake no observer. If the store fails, memory stays as it was.
  ///
  /// ```swift
  /// let newest = try await cache.refresh(RecordQuery<Person>().sorted(by: \.name).limited(to: 20))
  /// ```
  ///
  /// - Parameter query: The query.
  /// - Returns: The records, in the order of the query.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  /// - Complexity: Same as ``RecordQuery/find(in:_:)``, from the store and from memory.
  @discardableResult
  public func refresh<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let start = now
    let answer = try await answer(to: query, from: .dataLayer, .nothing, isPartialAllowed: false)
    guard store != nil else { return answer.records }
    let number = try schema.requiredNumber(of: R.self)
    let answered = Set(answer.records.map { $0.id })
    let resolved = try await resolved(query, from: .cachedOnly)
    await prepareIndexes(for: resolved, number)
    let others = try queryMemory(resolved, number).map { $0.id }.filter { !answered.contains($0) }
    // A write made after the store was asked is newer than its answer; one made at about the same
    // time may be.
    let later = start.after(Age(tenths: 1))
    let since = Oldest(present: later, missing: later)
    let old = R.chunks(of: IDs(others, of: number)).flatMap { chunk in
      state.withLock { $0.map.stale(chunk, as: R.self, since: since).ids.of(R.self) }
    }
    if !old.isEmpty { _ = try await refresh(old.map { Ref<R>($0) }) }
    return answer.records
  }
}
