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

  /// Returns what deleting a record now would change.
  ///
  /// ```swift
  /// let consequences = try await cache.consequences(ofDeleting: ref)
  /// if !consequences.isAllowed { show(consequences.denials.map(\.record)) }
  /// ```
  ///
  /// It takes the turn of a transaction. Others may write before you delete: if the deletion
  /// depends on the answer, use ``GraphCache/Transaction/consequences(ofDeleting:)``.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: The records that would be deleted, those that would lose a ref, and those that
  ///   prevent the deletion.
  /// - Throws: `KinshipError.missing` if the record does not exist, `.invalidSchema(.unknownType)`
  ///   if the type is not in the schema, and any error of loading.
  /// - Complexity: Same as ``GraphCache/Transaction/delete(_:)``.
  public func consequences<R: GraphRecord>(
    ofDeleting ref: Ref<R>
  ) async throws -> DeletionConsequences {
    try await write { tx in try tx.consequences(ofDeleting: ref) }.result
  }
}
