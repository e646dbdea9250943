extension GraphCache {
  /// Makes changes together, as ``write(loading:retries:body:)`` does, and returns what the closure
  /// returns.
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
  ///   - preloads: What the transaction needs.
  ///   - retries: How often the transaction is made anew if somebody else has changed a record.
  ///   - body: What to do. It must do nothing but read and change records, for it may run more than
  ///     once.
  /// - Returns: What the closure has returned when it ran for the last time, and what has changed.
  /// - Throws: What ``write(loading:retries:body:)`` throws.
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
    // An array, for a closure that has returned has left a result.
    let results = Lock<[Result]>([])
    let changes = try await write(preloads, retries: retries, updatesBlindly: updatesBlindly) {
      let new = [try body(&$0)]
      // The result of a run before is destroyed outside of the lock.
      _ = results.withLock { results in
        defer { results = new }
        return results
      }
    }
    return (results.withLock { $0 }[0], changes)
  }

  /// What the deletion of a record would change, were it made now.
  ///
  /// ```swift
  /// let consequences = try await cache.consequences(ofDeleting: ref)
  /// if !consequences.isAllowed { show(consequences.denials.map(\.record)) }
  /// ```
  ///
  /// It takes the turn of a transaction. Others may write before you delete: ask
  /// ``GraphCache/Transaction/consequences(ofDeleting:)`` where the deletion depends on the answer.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Returns: What would be deleted, what would lose a ref, and what stands in the way.
  /// - Throws: `KinshipError.missing` if the record does not exist, `.unknownType` if the type is
  ///   not in the schema, and what loading throws.
  /// - Complexity: As for ``GraphCache/Transaction/delete(_:)``.
  public func consequences<R: GraphRecord>(
    ofDeleting ref: Ref<R>
  ) async throws -> DeletionConsequences {
    try await write { tx in try tx.consequences(ofDeleting: ref) }.result
  }
}
