/// The effects of following a store that others also change.
extension GraphCache {
  /// Runs a closure on the state of following, under the cache's lock.
  ///
  /// - Parameter body: The closure. It may replace the follower: a new one takes the log positions
  ///   of snapshots that were restored while no store was followed.
  /// - Returns: The closure's result.
  package nonisolated func withFollower<Result: Sendable>(
    _ body: (inout (any StoreFollower)?, _ restored: [StoreCursor]) -> Result
  ) -> Result {
    state.withLock { state in
      defer { if state.follower != nil { state.restoredPlaces = [] } }
      let restored = state.restoredPlaces
      return body(&state.follower, restored)
    }
  }

  /// Drops records that must not be served any longer, if the timer is late, for example after the
  /// process was suspended.
  @usableFromInline
  func dropIfTooStale() {
    guard state.withLock({ $0.isTooStale }) else { return }
    let now = elapsed()
    let mustDrop = state.withLock { $0.follower != nil && $0.follower?.watch(at: now) == nil }
    if mustDrop { dropAll(notifiesObservers: false) }
  }

  /// Invalidates what others have changed, so that the next reads load it from the store.
  ///
  /// A caller that is already waiting for one of these records gets a value that the store returns
  /// from now on. Observers see all of the changes at once. A cache that follows a store calls this
  /// itself.
  ///
  /// - Parameter changed: The records that changed. Types that the cache does not know are ignored.
  /// - Complexity: O(*n*) in the records that are named; if a whole type is named, in its records
  ///   in memory.
  public func invalidate(changed: some Sequence<StoreChange.Extent>) {
    beginMoment()
    defer { endMoment() }
    var whole: Set<ObjectIdentifier> = []
    var refs: [ObjectIdentifier: [AnyRef]] = [:]
    for extent in changed {
      switch extent {
      // P3: for example, the store's log no longer goes back far enough.
      case .everything: return removeAll()
      case .all(let type): whole.insert(ObjectIdentifier(type))
      case .records(let changed):
        for ref in changed { refs[ObjectIdentifier(ref.type), default: []].append(ref) }
      }
    }
    func drop<R: GraphRecord>(_ refs: [AnyRef], _ type: R.Type) {
      invalidate(refs.compactMap { $0.as(type)?.id }.filter { R.isStable($0) }, of: type)
    }
    for type in schema.types {
      if whole.contains(ObjectIdentifier(type)) {
        invalidateAll(of: type)
      } else if let refs = refs[ObjectIdentifier(type)] {
        drop(refs, type)
      }
    }
  }

  /// Drops everything known about the records of a type.
  private func invalidateAll<R: GraphRecord>(of type: R.Type) {
    guard let number = schema.number(of: type) else { return }
    if let committing {
      invalidatedDuringCommit?.formUnion(committing.refs.filter { $0.type == type })
    }
    var ids: [R.ID] = []
    for pages in Chunk.ranges(state.withLock { $0.map.pages.bases.count }, of: Chunk.pages) {
      let found = state.withLock { state -> [R.ID] in
        var ids: [R.ID] = []
        state.map.forEachPointer(type, inPages: pages) { ids.append($0.id) }
        return ids
      }
      ids += found
    }
    ids += state.withLock { $0.map.pendingIDs(of: type) }
    invalidate(ids, of: type)
    let (effects, mustGather) = state.withLock { state -> (Effects, Bool) in
      state.map.dropMissingIDs(of: type)
      let outcome = state.loader.restartAll(of: number, &state.map)
      state.publishChangeOfAll()
      return (state.effects(of: outcome), state.mustGather())
    }
    effects.perform()
    if mustGather { gather() }
  }

  // MARK: Commits

  /// Runs a store write as a commit that the store's log may name.
  func makingCommit<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    commit = state.withLock { $0.follower?.beginCommit() }
    guard let commit else { return try await body() }
    return try await CommitID.$current.withValue(commit, operation: body)
  }

  /// Ends a commit, when memory has followed the store or its outcome is unknown.
  func endCommit(changing changes: ChangeSet?) {
    guard let ended = commit else { return }
    commit = nil
    let refs = changes.map { Set($0.refs) }
    let changed = state.withLock { $0.follower?.endCommit(ended, changing: refs) }
    invalidate(changed: changed ?? [])
  }
}

extension CacheState {
  /// The log positions from which a snapshot of memory must be brought up to date.
  var cursors: [StoreCursor] { follower?.cursors ?? restoredPlaces }

  /// Prepares for the restoration of data that is known up to a log position.
  mutating func prepareForRestoration(since place: StoreCursor, at now: Duration) {
    follower?.prepareForRestoration(since: place, at: now)
    if follower == nil, !restoredPlaces.contains(place) { restoredPlaces.append(place) }
  }
}
