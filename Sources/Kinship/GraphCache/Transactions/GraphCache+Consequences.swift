extension GraphCache {
  /// Makes changes in one transaction, as ``write(loading:retries:body:)`` does, and returns the
  /// closure's result.
  ///
  /// ```swift
  /// let (count, changes) = try await cache.write { tx in
  ///   let children = try tx.related(ref, Person.children)
  ///   for child in children { try tx.update(child.ref, \.name, to: child.name + " Jr.") }
  ///   return children.count
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - preloads: The data to load before the transaction begins.
  ///   - retries: The maximum number of re-runs, if someone else has changed a record.
  ///   - body: The closure. It must do nothing but read and change records, because it may run more
  ///     than once.
  /// - Returns: The closure's result from its last run, and the changes.
  /// - Throws: The errors of ``write(loading:retries:body:)``.
  /// - Complexity: O(*n*) in the changes, on average.
  @discardableResult
  public func write<Result: Sendable>(
    loading preloads: Preload..., retries: Int = 0,
    returning body: @Sendable (inout Transaction) throws -> Result
  ) async throws -> (result: Result, changes: ChangeSet) {
    let retries = retries.checked(atLeast: 0, "retries")
    return try await write(preloads, retries: retries, updatesBlindly: true, returning: body)
  }

  func write<Result: Sendable>(
    _ preloads: [Preload], retries: Int, updatesBlindly: Bool,
    returning body: @Sendable (inout Transaction) throws -> Result
  ) async throws -> (result: Result, changes: ChangeSet) {
    // An array: it holds a result once a run of the closure has returned.
    let results = Lock<[Result]>([])
    let changes = try await write(preloads, retries: retries, updatesBlindly: updatesBlindly) {
      let new = [try body(&$0)]
      // The previous run's result is destroyed outside the lock.
      _ = results.withLock { results in
        defer { results = new }
        return results
      }
    }
    return (results.withLock { $0 }[0], changes)
  }
}
