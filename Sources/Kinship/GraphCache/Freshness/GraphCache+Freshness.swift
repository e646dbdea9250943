extension GraphCache {
  /// The record that a ref names, no older than a reader bears it.
  ///
  /// ```swift
  /// let headline = try await cache.resolve(ref, within: .seconds(60))
  /// ```
  ///
  /// A record in memory that is older is loaded again: all who ask at the same time, and those who
  /// just load, make one call of the store. It stays in memory until its successor is there; one
  /// that is equal to it wakes nobody.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - limit: How old the record may be, to a tenth of a second.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record.
  /// - Throws: What ``resolve(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: That of ``resolve(_:fileID:line:)-(Ref<R>,_,_)``, and a look at the clock.
  @inlinable
  public nonisolated(nonsending) func resolve<R: GraphRecord>(
    _ ref: Ref<R>, within limit: Duration, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> R {
    let age = Age(justBelow: limit)
    if let record = readYoung(ref, { _ in age }) { return record }
    guard let record = try await find(ref, .within(limit), fileID: fileID, line: line)?.value else {
      throw KinshipError.missing(AnyRef(ref))
    }
    return record
  }

  /// The record that a ref names, no older than a reader bears it, if it exists.
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - limit: How old the record may be, or what the store has said of its absence.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: That of ``find(_:fileID:line:)-(Ref<R>,_,_)``, and a look at the clock.
  @inlinable
  public nonisolated(nonsending) func find<R: GraphRecord>(
    _ ref: Ref<R>, within limit: Duration, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> R? {
    let age = Age(justBelow: limit)
    if let record = readYoung(ref, { _ in age }) { return record }
    return try await find(ref, .within(limit), fileID: fileID, line: line)?.value
  }

  /// The records that refs name, none older than a reader bears it, in one batch.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - limit: How old a record may be.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The records, in the order of the refs.
  /// - Throws: What ``resolve(_:fileID:line:)-([Ref<R>],_,_)`` throws.
  /// - Complexity: That of ``resolve(_:fileID:line:)-([Ref<R>],_,_)``.
  public func resolve<R: GraphRecord>(
    _ refs: [Ref<R>], within limit: Duration, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> [R] {
    try zip(refs, await find(refs, within: limit, fileID: fileID, line: line)).map { ref, record in
      guard let record else { throw KinshipError.missing(AnyRef(ref)) }
      return record
    }
  }

  /// The records that refs name, none older than a reader bears it, as far as they exist.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - limit: How old a record may be, or what the store has said of its absence.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: For each ref its record, or `nil` where it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-([Ref<R>],_,_)`` throws.
  /// - Complexity: That of ``find(_:fileID:line:)-([Ref<R>],_,_)``.
  public func find<R: GraphRecord>(
    _ refs: [Ref<R>], within limit: Duration, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> [R?] {
    try await find(refs, .within(limit), fileID: fileID, line: line).map { $0?.value }
  }

  /// The record that a ref names, as fresh as can be had, and how old it is.
  ///
  /// ```swift
  /// let shown = try await cache.find(ref, .staleWhileRevalidating(after: .seconds(60)))
  /// if let shown { show("\(shown.value.text)\(shown.isStale ? ", being looked up" : "")") }
  /// ```
  ///
  /// - Parameters:
  ///   - ref: The ref.
  ///   - freshness: How old the record may be, and what to do with one that is older.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws, where there is nothing to be
  ///   shown instead.
  /// - Complexity: That of ``find(_:fileID:line:)-(Ref<R>,_,_)``, and a look at the clock.
  public nonisolated(nonsending) func find<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> Dated<R>? {
    if let shown = try shown(ref, freshness) { return shown }
    return try await find([ref], freshness, fileID: fileID, line: line)[0]
  }

  /// The records that refs name, as fresh as can be had, and how old they are.
  ///
  /// - Parameters:
  ///   - refs: The refs.
  ///   - freshness: How old a record may be, and what to do with one that is older.
  ///   - fileID: Where the call is, for a cache with ``Strictness``.
  ///   - line: The line of the call.
  /// - Returns: For each ref its record, or `nil` where it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-([Ref<R>],_,_)`` throws, where there is nothing to be
  ///   shown instead.
  /// - Complexity: That of ``find(_:fileID:line:)-([Ref<R>],_,_)``.
  public func find<R: GraphRecord>(
    _ refs: [Ref<R>], _ freshness: Freshness, fileID: CallSite.FileID = #fileID,
    line: UInt = #line
  ) async throws -> [Dated<R>?] {
    if watchers == 0 { return try await findDated(refs, freshness) }
    try noteLoad(of: refs, CallSite(fileID, line))
    let found = try await findDated(refs, freshness)
    noteAnswer(refs, found.map { $0?.value })
    return found
  }

  /// The same, for the cache itself: it is not what a program reads.
  @usableFromInline
  func findDated<R: GraphRecord>(
    _ refs: [Ref<R>], _ freshness: Freshness
  ) async throws -> [Dated<R>?] {
    dropPast()
    let ids = refs.map { $0.id }
    let now = now
    let (fresh, last) = (freshness.bounds(at: now), freshness.lastBounds(at: now))
    switch freshness.policy {
    case .wait: return try await loadDated(ids, of: R.self, fresh).dated(fresh, now)
    case .staleWhileRevalidating:
      let found = try await loadDated(ids, of: R.self, last)
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
        return try await loadDated(ids, of: R.self, fresh).dated(fresh, now)
      } catch {
        let all = IDs(ids, of: try schema.requiredNumber(of: R.self))
        // What is known to be missing counts for as long as records do.
        guard case KinshipError.fetchFailed = error, let known = recall(all, of: R.self),
          known.allSatisfy({ $0.map { $0.since >= last.oldest.present } ?? true })
        else { throw error }
        return known.dated(fresh, now, error)
      }
    }
  }

  /// Loads a record again, whatever memory knows of it.
  ///
  /// It returns when the new truth is in memory. What was equal to it wakes nobody. If the store
  /// fails, memory stays as it was.
  ///
  /// ```swift
  /// try await cache.refresh(ref)
  /// ```
  ///
  /// - Parameter ref: The ref that names it.
  /// - Returns: The record, or `nil` if it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-(Ref<R>,_,_)`` throws.
  /// - Complexity: A call of the store; one that is under way for the record already is joined.
  @discardableResult
  public func refresh<R: GraphRecord>(_ ref: Ref<R>) async throws -> R? {
    try await refresh([ref])[0]
  }

  /// Loads records again, whatever memory knows of them, in one batch.
  ///
  /// - Parameter refs: The refs that name them.
  /// - Returns: For each ref its record, or `nil` where it does not exist.
  /// - Throws: What ``find(_:fileID:line:)-([Ref<R>],_,_)`` throws.
  /// - Complexity: A call of the store; O(*n*) in the records.
  @discardableResult
  public func refresh<R: GraphRecord>(_ refs: [Ref<R>]) async throws -> [R?] {
    try await loadDated(refs.map { $0.id }, of: R.self, .nothing).map { $0?.record }
  }

  // MARK: Parts

  /// This moment.
  nonisolated var now: Stamp { state.withLock { $0.map.clock.now } }

  /// The record in memory, if it can be shown without waiting; the store is asked in the background
  /// if it is to be.
  nonisolated func shown<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness
  ) throws(KinshipError) -> Dated<R>? {
    guard let (record, bounds) = glance(ref, freshness) else { return nil }
    if let bounds {
      revalidate([IDs([ref.id], of: try schema.requiredNumber(of: R.self))], .every(bounds))
    }
    return record
  }

  /// The record in memory, if it can be shown without waiting, and what would count as fresh if the
  /// store is to be asked in the background.
  private nonisolated func glance<R: GraphRecord>(
    _ ref: Ref<R>, _ freshness: Freshness
  ) -> (record: Dated<R>, bounds: AgeBounds?)? {
    let isStored = store != nil
    return state.withLock { state in
      guard !state.isTaken, !state.isPast, state.arriving == nil,
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
      // Of many records that came together, not all are asked for together.
      let early = limit.earlier(by: state.map.recency.tag(of: slot))
      guard isStored, age > early, freshness.revalidates,
        state.mayRevalidate(table.pointee.owner, at: now),
        !state.map.isAskedFor(ref.id, as: R.self)
      else { return (record, nil) }
      var revalidated = freshness
      revalidated.limit = early.duration
      return (record, revalidated.bounds(at: now))
    }
  }

  /// Loads what memory does not know, or not since the moments that count.
  private func loadDated<R: GraphRecord>(
    _ ids: [R.ID], of type: R.Type, _ bounds: AgeBounds
  ) async throws -> [DatedRecord<R>?] {
    let ids = IDs(ids, of: try schema.requiredNumber(of: type))
    try R.requireStable(ids: ids.of(type))
    let isFresh = countFresh(ids, type, since: store == nil ? nil : bounds)
    if isFresh || store == nil, let known = recall(ids, of: type) { return known }
    let claims = claim(ids)
    defer { end(claims) }
    try await wait(for: [claims], .every(bounds))
    if let known = recall(ids, of: type) { return known }
    // Something was invalidated meanwhile: what is loaded then is of this moment.
    let now = now
    return try await load(ids.of(type), of: type).map { record in
      record.map { DatedRecord(record: $0, since: now) }
    }
  }

  /// What memory knows of ids, which become the most recently used; `nil` if it does not know all.
  private func recall<R: GraphRecord>(_ ids: IDs, of type: R.Type) -> [DatedRecord<R>?]? {
    var known: [DatedRecord<R>?] = []
    // In chunks, so that `peek` never waits for long.
    for chunk in R.chunks(of: ids) {
      let read = state.withLock { $0.map.readDated(chunk.of(type), as: type) }
      guard let read else { return nil }
      known += read
    }
    return known
  }

  private func countFresh<R: GraphRecord>(
    _ ids: IDs, _ type: R.Type, since bounds: AgeBounds?
  ) -> Bool {
    R.chunks(of: ids).reduce(true) { isFresh, chunk in
      state.withLock { state in
        state.map.countFresh(chunk.of(type), as: type, since: bounds?.oldest)
      } && isFresh
    }
  }

  /// Has the store asked in the background for what is not fresh.
  nonisolated func revalidate(_ lists: [IDs], _ demand: AgeDemand) {
    Task(executorPreference: executor) {
      // It is nothing that a call of the store would wait for.
      await CallPath.$current.withValue([]) { await self.revalidating(lists, demand) }
    }
  }

  private func revalidating(_ lists: [IDs], _ demand: AgeDemand) async {
    do {
      try await load(lists, demand)
    } catch {
      // Who reads on is shown what there is, and asks again: after a pause.
      state.withLock { state in
        for list in lists { state.pauseRevalidation(of: list.type) }
      }
    }
  }

  /// Loads what memory does not know as fresh as it is wanted.
  func load(_ lists: [IDs], _ demand: AgeDemand) async throws {
    let claims = lists.map { claim($0) }
    defer { for claims in claims { end(claims) } }
    try await wait(for: claims, demand)
  }
}

extension Array {
  /// What a reader is told of records.
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
  /// Whether what is not fresh of a type may be asked for in the background.
  func mayRevalidate(_ type: TypeNumber, at now: Stamp) -> Bool {
    revalidationPauses.isEmpty || revalidationPauses[type].map { $0 <= now } ?? true
  }

  /// The store has failed: it is not asked again for each who reads.
  mutating func pauseRevalidation(of type: TypeNumber) {
    revalidationPauses[type] = map.clock.now.after(Age(.seconds(1)))
  }
}
