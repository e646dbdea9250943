extension GraphCache {
  /// Returns the record for `ref`, as fresh as the options ask, loading it if necessary.
  ///
  /// ```swift
  /// let headline = try await cache.resolve(ref, .within(.seconds(60)))
  /// ```
  ///
  /// An older record in memory is reloaded. All callers that ask at the same time share one call to
  /// the store, also with loads in flight. The old record stays in memory until the new one
  /// arrives; an equal one wakes no observer.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - options: The options for reading.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: Same as ``resolve(_:fileID:line:)-(Ref<R>,_,_)``, plus a clock reading.
  @inlinable
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ ref: Ref<R>, _ options: ReadOptions, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> R {
    // The benchmark case `fresh`: the options of a read in memory are not passed on.
    if let record = readFresh(ref, options) { return record }
    guard let record = try await find(ref, options, fileID: fileID, line: line) else {
      throw KinshipError.missing(AnyRef(ref))
    }
    return record
  }

  /// Returns the record in memory if it is young enough for a reader.
  @inlinable @inline(__always)
  nonisolated func readFresh<R: GraphRecord>(_ ref: Ref<R>, _ options: ReadOptions) -> R? {
    guard let freshness = options.freshness, freshness.policy == .wait else { return nil }
    let age = Age(justBelow: freshness.limit)
    return readFresh(ref) { _ in age }
  }

  /// Returns the records for `refs`, as fresh as the options ask, loading them in one batch if
  /// necessary.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - options: The options for reading.
  ///   - fileID: The file of the call, for reports by ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, in the order of the refs.
  /// - Throws: The errors of ``resolve(_:fileID:line:)-([Ref<R>],_,_)``.
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ refs: [Ref<R>], _ options: ReadOptions, fileID: CallSite.FileID = #fileID, line: UInt = #line
  ) async throws -> [R] {
    try zip(refs, await find(refs, options, fileID: fileID, line: line)).map { ref, record in
      guard let record else { throw KinshipError.missing(AnyRef(ref)) }
      return record
    }
  }

  /// Returns a record as fresh as a reader asks, with its age.
  @usableFromInline
  nonisolated(nonsending) func findDated<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness, _ caller: CallSite.Location? = nil
  ) async throws -> Dated<R>? {
    if let shown = try readAndRevalidate(ref, freshness) { return shown }
    return try await findDated([ref], freshness, caller)[0]
  }

  /// Returns records as fresh as a reader asks, with their ages.
  @usableFromInline
  func findDated<R: GraphRecord>(
    _ refs: [Ref<R>], _ freshness: Freshness, _ caller: CallSite.Location?
  ) async throws -> [Dated<R>?] {
    guard watchers > 0, let caller else { return try await findDatedUnrecorded(refs, freshness) }
    try reportLoad(of: refs, caller.site)
    let found = try await findDatedUnrecorded(refs, freshness)
    recordReads(refs, found.map { $0?.value })
    return found
  }

  /// Finds records for the cache itself: this does not count as a read by the program.
  @usableFromInline
  func findDatedUnrecorded<R: GraphRecord>(
    _ refs: [Ref<R>], _ freshness: Freshness
  ) async throws -> [Dated<R>?] {
    dropIfTooStale()
    let ids = refs.map { $0.id }
    let now = now
    let (fresh, last) = (freshness.bounds(at: now), freshness.lastBounds(at: now))
    switch freshness.policy {
    case .wait: return try await loadWithAge(ids, of: R.self, fresh).dated(fresh, now)
    case .staleWhileRevalidating:
      let found = try await loadWithAge(ids, of: R.self, last)
      let stale = zip(ids, found).filter { _, found in
        found.map { $0.since < fresh.oldest.present } ?? false
      }
      if !stale.isEmpty {
        let number = try schema.requiredNumber(of: R.self)
        revalidate([IDs(stale.map { $0.0 }, of: number)], .every(fresh))
      }
      return found.dated(fresh, now)
    case .staleIfFailing:
      do {
        return try await loadWithAge(ids, of: R.self, fresh).dated(fresh, now)
      } catch {
        let all = IDs(ids, of: try schema.requiredNumber(of: R.self))
        // A known-missing id is fresh for as long as a record.
        guard case KinshipError.fetchFailed = error, let known = readWithAges(all, of: R.self),
          known.allSatisfy({ $0.map { $0.since >= last.oldest.present } ?? true })
        else { throw error }
        return known.dated(fresh, now, error)
      }
    }
  }

  /// Reloads a record, whatever is in memory.
  ///
  /// It returns when the new value is in memory. A value equal to the old one wakes no observer. If
  /// the store fails, memory stays as it was.
  ///
  /// ```swift
  /// try await cache.refresh(ref)
  /// ```
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: The errors of ``find(_:fileID:line:)-(Ref<R>,_,_)``.
  /// - Complexity: One call to the store, shared with a load of the record that is already in
  ///   flight.
  @discardableResult
  public func refresh<R: GraphRecord>(_ ref: Ref<R>) async throws -> R? {
    try await refresh([ref])[0]
  }

  /// Reloads records in one batch, whatever is in memory.
  ///
  /// - Parameter refs: Refs to the records.
  /// - Returns: One element for each ref, in order: the record, or `nil` if it does not exist.
  /// - Throws: The errors of ``find(_:fileID:line:)-([Ref<R>],_,_)``.
  /// - Complexity: A call of the store; O(*n*) in the records.
  @discardableResult
  public func refresh<R: GraphRecord>(_ refs: [Ref<R>]) async throws -> [R?] {
    try await loadWithAge(refs.map { $0.id }, of: R.self, .nothing).map { $0?.record }
  }

  // MARK: Parts

  /// The current time.
  nonisolated var now: Stamp { state.withLock { $0.map.clock.now } }

  /// Returns the record in memory if it may be shown without waiting, and reloads it in the
  /// background if necessary.
  nonisolated func readAndRevalidate<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness
  ) throws(KinshipError) -> Dated<R>? {
    let isStored = store != nil
    // The age limits are those of a reload, if one is due.
    let found = state.withLock { state -> (record: Dated<R>, due: AgeBounds?)? in
      guard !state.isExclusive, !state.isTooStale, state.applying == nil,
        let table = state.map.table(R.self), let slot = table.find(ref.id, in: state.map.pages)
      else { return nil }
      let now = state.map.clock.now
      let isPending = state.map.isPending(ref.id, in: table)
      let age = isPending ? Age(.zero) : state.map.recency.stamp(of: slot).age(at: now)
      let limit = Age(freshness.limit)
      let isStale = isStored && age > limit
      if isStale {
        guard case .staleWhileRevalidating(let bound) = freshness.policy,
          bound.map({ age <= Age($0) }) ?? true
        else { return nil }
      }
      state.map.tally.hits &+= 1
      state.map.recency.touch(slot)
      let record = Dated(
        state.map.pages.pointer(to: slot, as: R.self).pointee, age: age.duration, isStale: isStale)
      // Records that were loaded together are not all reloaded together.
      let early = limit.earlier(by: state.map.recency.tag(of: slot))
      guard isStored, age > early, freshness.revalidates,
        state.mayRevalidate(table.pointee.owner, at: now),
        !state.map.isAskedFor(ref.id, as: R.self)
      else { return (record, nil) }
      var revalidated = freshness
      revalidated.limit = early.duration
      return (record, revalidated.bounds(at: now))
    }
    if let due = found?.due {
      revalidate([IDs([ref.id], of: try schema.requiredNumber(of: R.self))], .every(due))
    }
    return found?.record
  }

  /// Loads records that memory does not have, or not fresh enough.
  private func loadWithAge<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, _ bounds: AgeBounds
  ) async throws -> [DatedRecord<R>?] {
    let ids = IDs(ids, of: try schema.requiredNumber(of: type))
    try R.requireStable(ids: ids.of(type))
    let oldest = store == nil ? nil : bounds.oldest
    let isFresh = R.chunks(of: ids).reduce(true) { isFresh, chunk in
      state.withLock { $0.map.countFresh(chunk.of(type), as: type, since: oldest) } && isFresh
    }
    if isFresh || store == nil, let known = readWithAges(ids, of: type) { return known }
    let claims = claim(ids)
    defer { end(claims) }
    try await wait(for: [claims], .every(bounds))
    if let known = readWithAges(ids, of: type) { return known }
    // If something was invalidated meanwhile, the load returns current values.
    let now = now
    return try await load(ids.of(type), of: type).map { record in
      record.map { DatedRecord(record: $0, since: now) }
    }
  }

  /// Returns the known records for ids and makes them the most recently used; `nil` if memory does
  /// not know all.
  private func readWithAges<R: GraphRecord>(_ ids: IDs, of type: R.Type) -> [DatedRecord<R>?]? {
    var known: [DatedRecord<R>?] = []
    // In chunks, so that `peek` never waits for long.
    for chunk in R.chunks(of: ids) {
      let read = state.withLock { $0.map.readDated(chunk.of(type), as: type) }
      guard let read else { return nil }
      known += read
    }
    return known
  }

  /// Reloads stale records in the background.
  nonisolated func revalidate(_ lists: [IDs], _ demand: AgeDemand) {
    Task(executorPreference: executor) {
      // No store call would wait for it.
      await CallPath.$current.withValue([]) {
        do {
          try await self.load(lists, demand)
        } catch {
          // After a failure, readers get the old records, and the store is asked again only after
          // a pause.
          self.state.withLock { state in
            for list in lists { state.pauseRevalidation(of: list.type) }
          }
        }
      }
    }
  }

  /// Loads records that memory does not have as fresh as required.
  func load(_ lists: [IDs], _ demand: AgeDemand) async throws {
    let claims = lists.map { claim($0) }
    defer { for claims in claims { end(claims) } }
    try await wait(for: claims, demand)
  }
}

extension Array {
  /// Returns records with their ages and staleness, as a reader gets them.
  fileprivate func dated<R: GraphRecord>(
    _ fresh: AgeBounds, _ now: Stamp, _ failure: (any Error)? = nil
  ) -> [Dated<R>?] where Element == DatedRecord<R>? {
    map { found in
      found.map { found in
        let isStale = found.since < fresh.oldest.present
        return Dated(
          found.record, age: found.since.age(at: now).duration, isStale: isStale,
          failure: isStale ? failure : nil)
      }
    }
  }
}

extension CacheState {
  /// Returns whether stale records of a type may be reloaded in the background.
  func mayRevalidate(_ type: TypeNumber, at now: Stamp) -> Bool {
    revalidationPauses.isEmpty || revalidationPauses[type].map { $0 <= now } ?? true
  }

  /// Pauses background reloads of a type after the store has failed, so that not every read asks
  /// it.
  mutating func pauseRevalidation(of type: TypeNumber) {
    revalidationPauses[type] = map.clock.now.after(Age(.seconds(1)))
  }
}
