extension GraphCache {
  /// The record for `ref`, if it is in memory; reading it makes it the most recently used.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory. To load it, call
  ///   ``find(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(1) on average.
  @inlinable
  public subscript<R: GraphRecord>(ref: Ref<R>) -> R? {
    state.withLock { $0.isTooStale ? nil : $0.map.read(ref.id, as: R.self)?.pointee }
  }

  /// Reads from the record for `ref` in memory without copying it, and makes it the most recently
  /// used.
  ///
  /// ```swift
  /// let name = await cache.read(ref) { $0.name }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: The file of the call, for the message if the closure uses the cache.
  ///   - line: The line of the call.
  ///   - body: The closure that reads it. It runs while the cache is locked: it must be short, and
  ///     must not use the cache, which ends the program.
  /// - Returns: The closure's result, or `nil` if the record is not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public func read<R: GraphRecord, Result: Sendable>(
    _ ref: Ref<R>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @Sendable (R) -> Result
  ) -> Result? {
    state.withLock(runningClosureFrom: fileID, line) { state in
      state.isTooStale ? nil : state.map.read(ref.id, as: R.self).map { body($0.pointee) }
    }
  }

  /// Returns the records for `refs` that are in memory, and makes them the most recently used, in
  /// order.
  ///
  /// - Parameter refs: The refs.
  /// - Returns: One element for each ref, in order: the record, or `nil` if it is not in memory.
  /// - Complexity: O(*n*) in the refs, on average.
  @inlinable
  public func records<R: GraphRecord>(for refs: [Ref<R>]) -> [R?] {
    var records: [R?] = []
    records.reserveCapacity(refs.count)
    for range in Chunk.ranges(refs.count, of: Chunk.tiny) {
      state.withLock { state in
        if state.isTooStale { return records += range.map { _ in nil } }
        state.map.read(refs[range].lazy.map { $0.id }, as: R.self) { records.append($0?.pointee) }
      }
    }
    return records
  }

  /// Combines records in memory without copying them, and makes them the most recently used.
  ///
  /// ```swift
  /// let letters = await cache.reduce(refs, into: 0) { $0 += $1.name.count }
  /// ```
  ///
  /// - Parameters:
  ///   - refs: The refs. Those whose records are not in memory are skipped.
  ///   - result: The initial result.
  ///   - fileID: The file of the call, for the message if the closure uses the cache.
  ///   - line: The line of the call.
  ///   - update: Called for each record in memory, in the order of the refs, with the result so
  ///     far. It runs while the cache is locked: it must be short, and must not use the cache,
  ///     which ends the program with a message that names this call.
  /// - Returns: The result.
  /// - Complexity: O(*n*) in the refs, on average.
  @inlinable
  public func reduce<R: GraphRecord, Result: Sendable>(
    _ refs: [Ref<R>], into result: Result, fileID: StaticString = #fileID, line: UInt = #line,
    _ update: @Sendable (inout Result, R) -> Void
  ) -> Result {
    var result = result
    for range in Chunk.ranges(refs.count, of: Chunk.tiny) {
      state.withLock(runningClosureFrom: fileID, line) { state in
        if state.isTooStale { return }
        state.map.read(refs[range].lazy.map { $0.id }, as: R.self) { record in
          if let record { update(&result, record.pointee) }
        }
      }
    }
    return result
  }

  /// Returns the record for `ref` if it is in memory, synchronously and from any thread.
  ///
  /// It returns the last committed version, for example for a first frame on the main actor. It
  /// changes neither the recency order nor the statistics. It waits for at most one operation in
  /// memory, never for the store.
  ///
  /// Do not call it in the closure of a transaction, where it would return the value before the
  /// transaction: read through the transaction, `tx[ref]`. Otherwise the transaction fails with
  /// `KinshipError.misuse(.readPastTransaction)`.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func peek<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    if transacting.isRunning { transacting.recordRead(of: ref) }
    return state.withLock { $0.peek(ref.id, as: R.self) }
  }

  /// Returns whether a record is in memory.
  ///
  /// It changes neither the recency order nor the statistics. In the closure of a transaction, ask
  /// the transaction, as for ``peek(_:)->R?``.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: Whether it is in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func contains<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
    if transacting.isRunning { transacting.recordRead(of: ref) }
    return state.withLock { $0.contains(ref.id, as: R.self) }
  }

  /// Returns how long ago a record in memory was last loaded, put or changed.
  ///
  /// ```swift
  /// if let age = cache.age(of: ref), age > .seconds(60 * 60) { await cache.invalidate(ref) }
  /// ```
  ///
  /// Reading a record does not change its age, and asking for the age changes neither the recency
  /// order nor the statistics. The age is measured by the cache's clock, to a tenth of a second and
  /// up to six years. A record that was restored from a snapshot has the age that it had then, plus
  /// the time since.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: The age, or `nil` if it is not in memory.
  /// - Complexity: O(1) on average.
  public nonisolated func age<R: GraphRecord>(of ref: Ref<R>) -> Duration? {
    state.withLock { $0.map.age(of: ref.id, as: R.self)?.duration }
  }

  /// The number of records in memory.
  public nonisolated var count: Int { state.withLock { $0.map.count } }

  /// Returns the number of records of a type in memory.
  ///
  /// - Parameter type: The record type.
  /// - Returns: The number of records.
  @inlinable
  public nonisolated func count<R: GraphRecord>(of type: R.Type) -> Int {
    state.withLock { $0.map.count(of: type) }
  }
}
