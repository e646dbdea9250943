extension GraphCache {
  /// The record in memory that a ref names, which becomes the most recently used.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory: see
  ///   ``find(_:fileID:line:)-(Ref<R>,_,_)`` to load it.
  /// - Complexity: O(1) on average.
  @inlinable
  public subscript<R: GraphRecord>(ref: Ref<R>) -> R? {
    state.withLock { $0.isPast ? nil : $0.map.read(ref.id, as: R.self)?.pointee }
  }

  /// Reads from the record in memory that a ref names, which becomes the most recently used,
  /// without copying the record out.
  ///
  /// ```swift
  /// let name = await cache.read(ref) { $0.name }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: Where the call is, for the message if the closure uses the cache.
  ///   - line: The line of the call.
  ///   - body: What to read. It runs while the cache is locked: it must be short, and must not use
  ///     the cache, which ends the program.
  /// - Returns: What the closure returns, or `nil` if the record is not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public func read<R: GraphRecord, Result: Sendable>(
    _ ref: Ref<R>, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: @Sendable (R) -> Result
  ) -> Result? {
    state.withLock(runningClosureFrom: fileID, line) { state in
      state.isPast ? nil : state.map.read(ref.id, as: R.self).map { body($0.pointee) }
    }
  }

  /// The records in memory that refs name, which become the most recently used, in order.
  ///
  /// - Parameter refs: The refs.
  /// - Returns: For each ref its record, or `nil` where it is not in memory.
  /// - Complexity: O(*n*) in the refs, on average.
  @inlinable
  public func records<R: GraphRecord>(for refs: [Ref<R>]) -> [R?] {
    var records: [R?] = []
    records.reserveCapacity(refs.count)
    for range in Chunk.ranges(refs.count, of: Chunk.tiny) {
      state.withLock { state in
        if state.isPast { return records += range.map { _ in nil } }
        state.map.read(refs[range].lazy.map { $0.id }, as: R.self) { records.append($0?.pointee) }
      }
    }
    return records
  }

  /// Goes through records in memory, which become the most recently used, without copying them out.
  ///
  /// ```swift
  /// let letters = await cache.reduce(refs, into: 0) { $0 += $1.name.count }
  /// ```
  ///
  /// - Parameters:
  ///   - refs: The refs. Those whose records are not in memory are passed over.
  ///   - result: What to start with.
  ///   - fileID: Where the call is, for the message if the closure uses the cache.
  ///   - line: The line of the call.
  ///   - update: Called for each record in memory, in the order of the refs, with the result so
  ///     far. It runs while the cache is locked: it must be short, and must not use the cache,
  ///     which ends the program.
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
        if state.isPast { return }
        state.map.read(refs[range].lazy.map { $0.id }, as: R.self) { record in
          if let record { update(&result, record.pointee) }
        }
      }
    }
    return result
  }

  /// The record in memory that a ref names, synchronously and from any thread.
  ///
  /// It shows the last committed version, for a first frame on the main actor, say. It leaves no
  /// trace: neither the order of use nor the statistics change. It waits at most for one operation
  /// in memory, never for the store.
  ///
  /// In the closure of a transaction it would show what was before: ask the transaction, `tx[ref]`.
  /// The transaction fails with `KinshipError.readPastTransaction` otherwise.
  ///
  /// - Parameter ref: The ref.
  /// - Returns: The record, or `nil` if it is not in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func peek<R: GraphRecord>(_ ref: Ref<R>) -> R? {
    if transacting.isRunning { transacting.noteRead(of: ref) }
    return state.withLock { $0.peek(ref.id, as: R.self) }
  }

  /// Whether a record is in memory.
  ///
  /// It leaves no trace: neither the order of use nor the statistics change. In the closure of a
  /// transaction, ask the transaction, as for ``peek(_:)``.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: Whether it is in memory.
  /// - Complexity: O(1) on average.
  @inlinable
  public nonisolated func contains<R: GraphRecord>(_ ref: Ref<R>) -> Bool {
    if transacting.isRunning { transacting.noteRead(of: ref) }
    return state.withLock { $0.contains(ref.id, as: R.self) }
  }

  /// How long ago a record in memory was last loaded, put or changed.
  ///
  /// ```swift
  /// if let age = cache.age(of: ref), age > .seconds(60 * 60) { await cache.invalidate(ref) }
  /// ```
  ///
  /// Reading a record does not make it younger, and asking leaves no trace. The cache's clock tells
  /// the age, to a tenth of a second and up to six years. A record that was restored from a
  /// snapshot has the age that it had then, and the time since.
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The age, or `nil` if it is not in memory.
  /// - Complexity: O(1) on average.
  public nonisolated func age<R: GraphRecord>(of ref: Ref<R>) -> Duration? {
    state.withLock { $0.map.age(of: ref.id, as: R.self)?.duration }
  }

  /// The number of records in memory.
  public nonisolated var count: Int { state.withLock { $0.map.count } }

  /// The number of records of a type in memory.
  ///
  /// - Parameter type: The record type.
  /// - Returns: How many there are.
  @inlinable
  public nonisolated func count<R: GraphRecord>(of type: R.Type) -> Int {
    state.withLock { $0.map.count(of: type) }
  }
}
