extension GraphCache.Transaction {
  /// Deletes a record, and applies the delete rules of its relationships.
  ///
  /// The rules apply to records in memory and to those that only the backing store knows. A record
  /// that is reached in several ways, or in a cycle, is deleted once.
  ///
  /// If memory lacks data, the closure continues as if the record were deleted. When the closure
  /// has ended, the data for all deletions is loaded together and the closure runs again. It runs
  /// at most three times, and once more for each generation of a cascade that is not in memory.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Throws: `KinshipError.missing` if the record does not exist, `.deletionDenied` with the
  ///   records that prevent the deletion, and `.invalidSchema(.unknownType)` if the type is not in
  ///   the schema; then nothing has changed.
  /// - Complexity: O(*n*) in the records that change. The first deletion that concerns a
  ///   relationship costs O(*n*) in the records in memory that have it.
  public mutating func delete<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) {
    try delete(all: [ref])
  }

  /// Deletes several records of a type, and applies the delete rules of their relationships.
  ///
  /// ```swift
  /// try await cache.write { tx in
  ///   try tx.delete(contentsOf: [Ref<Person>(7), Ref<Person>(8)])
  /// }
  /// ```
  ///
  /// The records are deleted together: none of them prevents the deletion of another. A repeated
  /// ref counts once.
  ///
  /// - Parameter refs: Refs to the records.
  /// - Throws: `KinshipError.missing` if one of the records does not exist, `.deletionDenied` with
  ///   the records that prevent the deletion, and `.invalidSchema(.unknownType)` if the type is not
  ///   in the schema; then nothing has changed.
  /// - Complexity: Same as ``delete(_:)``, once for all of them.
  public mutating func delete<R: GraphRecord>(
    contentsOf refs: some Sequence<Ref<R>>
  ) throws(KinshipError) {
    try delete(all: Array(refs))
  }

  private mutating func delete<R: GraphRecord>(all refs: [Ref<R>]) throws(KinshipError) {
    let plan = try plan(deleting: refs)
    // The missing data may show that the records that prevent the deletion are deleted as well.
    if missing.isEmpty, let denial = plan.denials.first { throw error(denial, refs, plan) }
    for edge in plan.detached.keys.sorted() {
      cache.schema[edge].operations.detach(plan, staging, cache.withMap)
    }
    for number in plan.deletions.keys.sorted() {
      let type = cache.schema.type(number)
      let deletions = plan.deletedIDs(number, of: type)
      makeRoom(for: deletions.count, number, of: type)
      // Each may be the first to touch a system page.
      for ids in type.chunks(of: deletions, size: Chunk.small) {
        cache.state.withLock { staging.delete(ids, of: type, $0.map) }
      }
    }
    staging.removeDropped()
  }

  /// Returns the error that records prevent a deletion.
  ///
  /// It names the record that the caller deletes, or, of several, the first that is denied.
  private func error<R: GraphRecord>(
    _ denial: DeletePlan.Denial, _ refs: [Ref<R>], _ plan: DeletePlan
  ) -> KinshipError {
    var referrers: [AnyRef] = []
    var seen: Set<AnyRef> = []
    for referrer in plan.denials.flatMap({ self.refs($0.record) })
    where seen.insert(referrer).inserted { referrers.append(referrer) }
    let denied = refs.count == 1 ? AnyRef(refs[0]) : self.refs(denial.deleted)[0]
    return .deletionDenied(denied, referrers: referrers)
  }

  /// Returns what deleting a record now would change.
  ///
  /// - Parameter ref: A ref to the record.
  /// - Returns: The records that would be deleted, those that would lose a ref, and those that
  ///   prevent the deletion.
  /// - Throws: `KinshipError.missing` if the record does not exist, and
  ///   `.invalidSchema(.unknownType)` if the type is not in the schema.
  /// - Complexity: Same as ``delete(_:)``.
  public mutating func consequences<R: GraphRecord>(
    ofDeleting ref: Ref<R>
  ) throws(KinshipError) -> GraphCache.DeletionConsequences {
    let plan = try plan(deleting: [ref])
    if !plan.missing.isEmpty || read(ref).isUnknown { throw .notLoaded(AnyRef(ref)) }
    var consequences = GraphCache.DeletionConsequences()
    for type in plan.deletions.keys.sorted() {
      consequences.deleted += refs(plan.deletedIDs(type, of: cache.schema.type(type)))
    }
    let deletions = Set(consequences.deleted)
    for edge in plan.detached.keys.sorted() {
      let ids = plan.detachedIDs(by: edge, of: cache.schema.type(edge.source))
      for referrer in refs(ids) where !deletions.contains(referrer) {
        consequences.nullified.append((referrer, cache.schema[edge].name))
      }
    }
    for denial in plan.denials {
      for (record, deleted) in zip(refs(denial.record), refs(denial.deleted)) {
        consequences.denials.append((record, deleted, cache.schema[denial.edge].name))
      }
    }
    return consequences
  }

  /// Applies the rules wave by wave to the data in memory, and notes missing data.
  private mutating func plan<R: GraphRecord>(
    deleting roots: [Ref<R>]
  ) throws(KinshipError) -> DeletePlan {
    let root = try cache.schema.requiredNumber(of: R.self)
    var isKnown = true
    for ref in roots {
      switch read(ref) {
      case .present: continue
      case .missing: throw .missing(AnyRef(ref))
      case .unknown:
        try continueRun(without: ref)
        isKnown = false
      }
    }
    let schema = cache.schema
    let staging = staging
    var plan = DeletePlan()
    plan.addDeletions(roots.map { $0.id }, of: root)
    while true {
      let wave = plan.takeWave()
      if wave.isEmpty { break }
      for ids in wave {
        for edge in schema.relationships[ids.type] {
          edge.operations.deleteTargets(of: ids, by: edge.onDelete, &plan, staging, cache.withMap)
        }
        for edge in schema.referrers[ids.type] where edge.onTargetDelete != .none {
          cache.prepareReferrers(by: edge)
          edge.operations.deleteReferrers(
            to: ids, by: edge.onTargetDelete, &plan, staging, cache.withMap)
        }
      }
    }
    // A record that may not exist leads to nothing worth loading.
    // T3: the store is asked for referrers that are not in memory.
    if isKnown { missing.add(plan.missing) }
    // A record that is also deleted does not prevent the deletion, and a repeated ref counts once.
    var seen: Set<[AnyHashable]> = []
    plan.denials = plan.denials.filter { denial in
      if plan.deletes(denial.record, of: schema.type(denial.record.type)) { return false }
      let refs = refs(denial.record) + refs(denial.deleted)
      return seen.insert([AnyHashable(denial.edge)] + refs.map { AnyHashable($0) }).inserted
    }
    return plan
  }

  private func refs(_ ids: IDs) -> [AnyRef] { cache.schema.type(ids.type).refs(of: ids) }
}

extension GraphCache {
  /// Passes the map to a closure while the cache is locked: one chunk of work, so that `peek` never
  /// waits for long.
  nonisolated fileprivate func withMap(_ body: (inout IdentityMap) -> Void) {
    state.withLock { body(&$0.map) }
  }
}

extension GraphCache {
  /// The effects of deleting a record.
  public struct DeletionConsequences: Sendable {
    /// The records that would be deleted, including the given one.
    public internal(set) var deleted: [AnyRef] = []
    /// The records that would lose refs, with the relationships of these refs.
    public internal(set) var nullified: [(record: AnyRef, relationship: String)] = []
    /// The records that prevent the deletion, each with the record that it keeps from being deleted
    /// and the relationship.
    public internal(set) var denials: [(record: AnyRef, of: AnyRef, relationship: String)] = []

    /// Whether the record could be deleted.
    public var isAllowed: Bool { denials.isEmpty }
  }
}
