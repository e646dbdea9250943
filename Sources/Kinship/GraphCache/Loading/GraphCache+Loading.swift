extension GraphCache {
  /// Returns the record for `ref`, loading it if necessary.
  ///
  /// Several calls for one ref share one call to the store. Loads that are requested together go to
  /// the store in one batch. If the cache's own transactions keep a load from finishing, the load
  /// takes its turn among them.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record.
  /// - Throws: `KinshipError.missing` if the record does not exist, `.fetchFailed` with the cause
  ///   if the store fails, `.unexpectedRecord` if its answer is invalid, `.misuse(.waitsForItself)`
  ///   inside a store call that this call would have to wait for, `.invalidSchema(.unknownType)`,
  ///   and `CancellationError` at once if the task is cancelled.
  /// - Complexity: O(1) on average for a record in memory. Then it does not wait for the actor: it
  ///   waits only as ``peek(_:)->R?`` does, and for closures of ``perform(_:)``. It does not
  ///   suspend then either, so a long loop should yield: <doc:Requests-and-verbs>.
  @inlinable
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ ref: Ref<R>, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R {
    var isAbsent = false
    // Same as in `find`: a shared function would cost a tenth of a hit.
    if hasFreshness {
      if let record = readFresh(ref, { quickLimits[$0.index] }) { return record }
    } else {
      switch readUnlessExclusive(ref) {
      case .some(let record?): return record
      case .some(nil): isAbsent = true
      case nil: break
      }
    }
    guard let record = try await findOnSlowPath(ref, isAbsent: isAbsent, fileID, line) else {
      throw KinshipError.missing(AnyRef(ref))
    }
    return record
  }

  /// Returns the record for an optional ref, loading it if necessary.
  ///
  /// - Parameters:
  ///   - ref: The ref, such as a property of another record.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if there is no ref.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  @_disfavoredOverload @inlinable
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ ref: Ref<R>?, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R? {
    guard let ref else { return nil }
    return try await resolve(ref, fileID: fileID, line: line)
  }

  /// Returns the record for a ref of one of several types, loading it if necessary.
  ///
  /// - Parameter choice: The ref, of one of several types.
  /// - Returns: The record.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(1) on average for a record in memory.
  public func resolve<Choice: RefChoice>(_ choice: Choice) async throws -> any GraphRecord {
    let ref = choice.ref
    func record<R: GraphRecord>(_ type: R.Type) async throws -> any GraphRecord {
      guard let typed = ref.as(type) else { throw KinshipError.missing(ref) }
      return try await resolve(typed)
    }
    return try await record(ref.type)
  }

  /// Returns the records for `refs`, loading them in one batch if necessary.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, in the order of the refs.
  /// - Throws: `KinshipError.missing` if a record does not exist, and the errors of
  ///   ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(*n*) in the refs, on average, for records in memory.
  @inlinable
  public func resolve<R: GraphRecord>(
    _ refs: [Ref<R>], fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> [R] {
    let found = try await find(refs, fileID: fileID, line: line)
    var records: [R] = []
    records.reserveCapacity(found.count)
    for (ref, record) in zip(refs, found) {
      guard let record else { throw KinshipError.missing(AnyRef(ref)) }
      records.append(record)
    }
    return records
  }

  /// Returns the record for `ref` if it exists, loading it if necessary.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: `KinshipError.fetchFailed` with the cause if the store fails, `.unexpectedRecord` if
  ///   its answer is invalid, `.invalidSchema(.unknownType)`, `.invalidSchema(.unstableID)`, and
  ///   `CancellationError` at once if the task is cancelled.
  /// - Complexity: O(1) on average for a record in memory. Then it does not wait for the actor: it
  ///   waits only as ``peek(_:)->R?`` does, and for closures of ``perform(_:)``. It does not
  ///   suspend then either, so a long loop should yield: <doc:Requests-and-verbs>.
  @inlinable
  public nonisolated(nonsending) func find<R: GraphRecord>(
    _ ref: Ref<R>, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R? {
    var isAbsent = false
    if hasFreshness {
      if let record = readFresh(ref, { quickLimits[$0.index] }) { return record }
    } else {
      switch readUnlessExclusive(ref) {
      case .some(let record?): return record
      case .some(nil): isAbsent = true
      case nil: break
      }
    }
    return try await findOnSlowPath(ref, isAbsent: isAbsent, fileID, line)
  }

  @usableFromInline
  nonisolated(nonsending) func find<R: GraphRecord>(
    _ ref: Ref<R>, from caller: CallSite.Location?
  ) async throws -> R? {
    guard let caller else { return try await find(ref) }
    return try await find(ref, fileID: caller.fileID, line: caller.line)
  }

  func find<R: GraphRecord>(_ refs: [Ref<R>], from caller: CallSite.Location?) async throws -> [R?]
  {
    guard let caller else { return try await findUnrecorded(refs) }
    return try await find(refs, fileID: caller.fileID, line: caller.line)
  }

  /// Returns the record in memory and makes it the most recently used; `nil` during an exclusive
  /// section.
  @inlinable
  nonisolated func readUnlessExclusive<R: GraphRecord>(_ ref: Ref<R>) -> R?? {
    state.withLock { state in
      state.isExclusive || state.isTooStale ? nil : .some(state.read(ref.id, as: R.self))
    }
  }

  /// Returns the record in memory if it is younger than a limit, and makes it the most recently
  /// used.
  ///
  /// Its freshness is not checked in any other way.
  @inlinable
  nonisolated func readFresh<R: GraphRecord>(
    _ ref: Ref<R>, _ limit: @Sendable (TypeNumber) -> Age
  ) -> R? {
    state.withLock { state in
      if state.isExclusive || state.isTooStale || state.applying != nil { return nil }
      return state.map.read(ref.id, as: R.self, youngerThan: limit)?.pointee
    }
  }

  /// Finds a record that memory cannot return at once.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - isAbsent: Whether the record is known not to be in memory; without a store, it does not
  ///     exist then.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: The errors of ``find(_:fileID:line:)-(Ref<R>,_,_)``.
  @usableFromInline
  nonisolated(nonsending) func findOnSlowPath<R: GraphRecord>(
    _ ref: Ref<R>, isAbsent: Bool, _ fileID: CallSite.FileID, _ line: UInt
  ) async throws -> R? {
    if let freshness = freshness(of: R.self), let shown = try readAndRevalidate(ref, freshness) {
      return shown.value
    }
    if !isAbsent { return try await find([ref], fileID: fileID, line: line)[0] }
    if store == nil, schema.contains(R.self), R.isStable(ref.id) { return nil }
    return try await load([ref.id], of: R.self)[0]
  }

  /// Returns those of the records for `refs` that exist, loading them in one batch if necessary.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: One element for each ref, in order: the record, or `nil` if it does not exist.
  /// - Throws: The errors of ``find(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(*n*) in the refs, on average, for records in memory.
  @inlinable
  public func find<R: GraphRecord>(
    _ refs: [Ref<R>], fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> [R?] {
    if watchers > 0 { return try await findRecordingReads(refs, fileID, line) }
    return try await findUnrecorded(refs)
  }

  /// Finds records for the cache itself: this does not count as a read by the program.
  @inlinable
  func findUnrecorded<R: GraphRecord>(_ refs: [Ref<R>]) async throws -> [R?] {
    if hasFreshness, let freshness = freshness(of: R.self) {
      return try await findDatedUnrecorded(refs, freshness).map { $0?.value }
    }
    dropIfTooStale()
    let records = records(for: refs)
    if !records.contains(where: { $0 == nil }) { return records }
    return try await load(refs.map { $0.id }, of: R.self)
  }

  /// Reads something of each ref, and leaves out those that cannot be read if that is allowed.
  ///
  /// - Returns: One element for each ref, `nil` for one that cannot be read; and these failures.
  nonisolated(nonsending) func readable<R: GraphRecord, Found>(
    _ refs: [Ref<R>], isPartialAllowed: Bool,
    _ read: nonisolated(nonsending) ([Ref<R>]) async throws -> [Found?]
  ) async throws -> (found: [Found?], failures: [PartialAnswer<R>.Failure]) {
    var failures: [Ref<R>: any Error] = [:]
    while true {
      do {
        let found = try await read(failures.isEmpty ? refs : refs.filter { failures[$0] == nil })
        if failures.isEmpty { return (found, []) }
        var rest = found.makeIterator()
        let all = refs.map { failures[$0] == nil ? rest.next() ?? nil : nil }
        return (all, failures.map { .init($0, cause: $1) })
      } catch KinshipError.fetchFailed(let type, let ids, let cause) where isPartialAllowed {
        let unread = Set(ids.compactMap { $0.as(R.self) }).intersection(refs)
        if unread.isEmpty { throw KinshipError.fetchFailed(type: type, ids: ids, cause: cause) }
        for ref in unread { failures[ref] = cause }
      }
    }
  }

  /// Returns the records that refer to a record, loading them if necessary.
  ///
  /// - Parameters:
  ///   - ref: A ref to the record.
  ///   - inverse: The relationships through which they refer to it.
  ///   - source: Where to look.
  ///   - caller: The call.
  /// - Returns: The records, each once, in the order of their ids if these are `Comparable`.
  /// - Throws: `KinshipError.invalidSchema(.unknownRelationship)` if the inverse does not fit the
  ///   schema, and the errors of the store's ``BackingStore/referrers(to:by:)`` and of
  ///   ``find(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: O(*n* log *n*) in the records. The first use of a relationship costs O(*n*) in
  ///   the records in memory that have it.
  func referrers<Target: GraphRecord, Source: GraphRecord>(
    to ref: Ref<Target>, _ inverse: Inverse<Target, Source>, from source: QuerySource = .dataLayer,
    _ caller: CallSite.Location? = nil
  ) async throws -> [Source] {
    let target = IDs([ref.id], of: try schema.requiredNumber(of: Target.self))
    try Target.requireStable(ref.id)
    let edges = try schema.edges(of: inverse)
    for edge in edges { prepareReferrers(by: edge) }
    let nothing = Staging()
    var rerunBudget = RerunBudget()
    var leases: [Lease] = []
    var isReported = false
    defer { for lease in leases { lease.end() } }
    while true {
      let (found, unknown) = sources(of: target, by: edges, nothing, as: Source.self)
      if unknown.isEmpty || source == .cachedOnly {
        if source == .cachedOnly { return records(for: found).compactMap { $0 } }
        let records = try await findUnrecorded(found)
        recordReferrerReads(to: AnyRef(ref), by: edges.map(\.id), records.compactMap { $0 })
        return records.compactMap { $0 }
      }
      if let caller, !isReported {
        try reportLoadOfReferrers(to: AnyRef(ref), by: unknown.map(\.edge), from: caller.site)
      }
      isReported = true
      for (edge, _) in unknown {
        leases.append(
          try await gatherReferrers(
            target, schema[edge], nothing, &rerunBudget, source: Source.self, target: Target.self))
      }
    }
  }

  /// Returns the records in memory that refer to one, and the relationships by which others may.
  nonisolated func sources<Source: GraphRecord>(
    of target: IDs, by edges: [GraphSchema.Edge], _ staging: Staging, as type: Source.Type
  ) -> (refs: [Ref<Source>], incomplete: [(edge: EdgeID, targets: IDs)]) {
    var found = OrderedIDs<Source.ID>()
    var incomplete: [(edge: EdgeID, targets: IDs)] = []
    for edge in edges {
      let (sources, targets) = state.withLock { state in
        edge.operations.referrers(to: target, staging, &state.map)
      }
      found.append(contentsOf: sources.of(type))
      if !targets.isEmpty { incomplete.append((edge.id, targets)) }
    }
    return (found.list.sortedIfComparable().map { Ref($0) }, incomplete)
  }

  /// Loads missing records, and reads all records at one moment.
  ///
  /// 1. The ids are claimed, so that the first record is still in memory when the last arrives.
  /// 2. After each wait all ids are looked up again, because an id may have been written, removed
  ///    or invalidated meanwhile.
  /// 3. When the claims end, the records become the most recently used, in the order of the ids,
  ///    unless they bypass the recency order.
  @usableFromInline
  func load<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, passing isPassing: Bool = false
  ) async throws -> [R?] {
    let number = try schema.requiredNumber(of: type)
    try R.requireStable(ids: ids)
    guard store != nil else {
      return state.withLock { state in ids.map { state.map.peek($0, as: type) } }
    }
    let claims = claim(IDs(ids, of: number), passing: isPassing)
    defer { end(claims) }
    // Records that were too old to keep, for this call only.
    var transient: [ClaimTable.Place: any Sendable] = [:]
    var rounds = 0
    while true {
      if rounds == LoadQueue.maxRestarts, CallPath.current.isEmpty {
        // Writes are faster than fetches: take the turn, so that no one else writes.
        return try await inTurn(of: .load(ids.map { AnyRef(Ref<R>($0)) })) {
          try await load(ids, of: type, passing: isPassing)
        }
      }
      rounds += 1
      transient.merge(try await fetch(claims, besides: transient)) { $1 }
      if let records: [R?] = read(claims, besides: transient) { return records }
    }
  }

  /// Waits until missing records have been in memory or known missing for a moment.
  ///
  /// - Returns: Records that were too old to keep, as optionals of the type.
  private func fetch(
    _ claims: Claims, besides transient: [ClaimTable.Place: any Sendable]
  ) async throws -> [ClaimTable.Place: any Sendable] {
    let absent =
      transient.isEmpty
      ? claims : Claims(type: claims.type, places: claims.places.filter { transient[$0] == nil })
    let waiter = state.withLock { state in
      let waiter = state.loader.nextWaiter()
      state.transient[waiter] = [:]
      return waiter
    }
    var copies: [ClaimTable.Place: any Sendable] = [:]
    do {
      defer { copies = state.withLock { $0.transient.removeValue(forKey: waiter) } ?? [:] }
      try await wait(for: [absent], as: waiter)
    }
    return copies
  }

  /// Returns the known records, supplemented by those that were handed out; `nil` if any is
  /// missing.
  private func read<R: GraphRecord>(
    _ claims: Claims, besides transient: [ClaimTable.Place: any Sendable]
  ) -> [R?]? {
    if transient.isEmpty {
      if claims.count <= Chunk.size {
        return state.withLock { $0.map.read(claims.places, as: R.self) }
      }
      // Nothing is written meanwhile, so all records are of one moment.
      var records: [R?] = []
      records.reserveCapacity(claims.count)
      for chunk in claims.chunks {
        let read = state.withLock { $0.map.read(chunk.places, as: R.self) }
        guard let read else { return nil }
        records += read
      }
      return records
    }
    let known = state.withLock { state in
      claims.places.map { state.map.read([$0], as: R.self)?.first }
    }
    var records: [R?] = []
    for (place, known) in zip(claims.places, known) {
      guard let record = known ?? transient[place].map({ checked($0, as: R?.self) }) else {
        return nil
      }
      records.append(record)
    }
    return records
  }
}
