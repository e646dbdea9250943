extension GraphCache.Transaction {
  /// Deletes a record, and does to others what the rules of the relationships say.
  ///
  /// The rules reach those in memory and those that only the backing store knows. A record that is
  /// reached on several ways, or around a circle, is deleted once.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Throws: `KinshipError.missing` if it does not exist, `.deletionDenied` with those who stand in the
  ///   way, and `.unknownType` if the type is not in the schema; then nothing has changed.
  /// - Complexity: O(*n*) in the records that change. The first deletion that concerns a relationship
  ///   is O(*n*) in the records in memory that have it.
  public mutating func delete<R: GraphRecord>(_ ref: Ref<R>) throws(KinshipError) {
    let plan = try plan(deleting: ref)
    if !plan.denials.isEmpty {
      var referrers: [AnyRef] = []
      var seen: Set<AnyRef> = []
      for denial in plan.denials {
        guard let referrer = self.ref(denial.type, denial.id) else { continue }
        if seen.insert(referrer).inserted { referrers.append(referrer) }
      }
      throw .deletionDenied(AnyRef(ref), referrers: referrers)
    }
    cache.state.withLock { state in
      for (edge, _) in plan.detached.sorted(by: { $0.key < $1.key }) {
        let relationship = cache.schema[edge]
        relationship.operations.detach(plan, relationship.place, staging, state.map)
      }
      for (type, ids) in plan.doomed.sorted(by: { $0.key < $1.key }) {
        cache.schema.entries[type].operations.stageDeletes(state.map, staging, ids)
      }
    }
    staging.dropped.removeAll()
  }

  /// What the deletion of a record would change, were it made now.
  ///
  /// - Parameter ref: The ref that names the record.
  /// - Returns: What would be deleted, what would lose a ref, and what stands in the way.
  /// - Throws: `KinshipError.missing` if the record does not exist, and `.unknownType` if the type is not
  ///   in the schema.
  /// - Complexity: As for ``delete(_:)``.
  public mutating func consequences<R: GraphRecord>(
    ofDeleting ref: Ref<R>
  ) throws(KinshipError) -> GraphCache.DeletionConsequences {
    let plan = try plan(deleting: ref)
    var consequences = GraphCache.DeletionConsequences()
    for (type, ids) in plan.doomed.sorted(by: { $0.key < $1.key }) {
      consequences.deleted += refs(type, ids)
    }
    let doomed = Set(consequences.deleted)
    for (edge, ids) in plan.detached.sorted(by: { $0.key < $1.key }) {
      let name = cache.schema[edge].name
      for referrer in refs(edge.source, ids) where !doomed.contains(referrer) {
        consequences.nullified.append((referrer, name))
      }
    }
    consequences.denials = plan.denials.compactMap { denial in
      guard let referrer = self.ref(denial.type, denial.id),
        let deleted = self.ref(denial.deletedType, denial.deletedID)
      else { return nil }
      let edge = cache.schema[denial.edge]
      return (referrer, deleted, edge.name)
    }
    return consequences
  }

  /// Follows the rules wave by wave.
  private mutating func plan<R: GraphRecord>(
    deleting ref: Ref<R>
  ) throws(KinshipError) -> DeletePlan {
    let root = try cache.schema.requiredNumber(of: R.self)
    _ = try required(ref)
    let schema = cache.schema
    let staging = staging
    var plan = cache.state.withLock { state in
      var plan = DeletePlan()
      plan.doom([ref.id], type: root)
      while !plan.wave.isEmpty {
        let wave = plan.wave.sorted { $0.key < $1.key }
        plan.wave = [:]
        for (type, ids) in wave {
          for edge in schema.relationships[type] {
            edge.operations.deleteTargets(
              ids, edge.onDelete, edge.place, staging, state.map, &plan)
          }
          for edge in schema.referrers[type] {
            edge.operations.deleteReferrers(
              ids, edge.onTargetDelete, edge.place, staging, &state.map, &plan)
          }
        }
      }
      return plan
    }
    if !plan.isWhole {
      needs += plan.needs
      referrerNeeds += plan.referrerNeeds
      throw .notLoaded(AnyRef(ref))
    }
    // Who is deleted as well does not stand in the way, and a ref that is repeated does so once.
    var seen: Set<[AnyHashable]> = []
    plan.denials = plan.denials.filter { denial in
      if schema.entries[denial.type].isDoomed(denial.id, denial.type, plan) { return false }
      let ids = [AnyHashable(denial.id), AnyHashable(denial.deletedID)]
      return seen.insert([AnyHashable(denial.edge)] + ids).inserted
    }
    return plan
  }

  private func refs(_ type: Int, _ ids: any Sendable) -> [AnyRef] {
    cache.schema.entries[type].refs(ids)
  }

  private func ref(_ type: Int, _ id: any Hashable & Sendable) -> AnyRef? {
    cache.schema.entries[type].ref(id)
  }
}

extension GraphCache {
  /// What the deletion of a record would change.
  public struct DeletionConsequences: Sendable {
    /// The records that would be deleted, the one in question among them.
    public internal(set) var deleted: [AnyRef] = []
    /// The records that would lose refs, and by which relationship.
    public internal(set) var nullified: [(record: AnyRef, relationship: String)] = []
    /// What stands in the way: which record, of the deletion of which, by which relationship.
    public internal(set) var denials: [(record: AnyRef, of: AnyRef, relationship: String)] = []

    /// Whether the deletion could be made.
    public var isAllowed: Bool { denials.isEmpty }
  }
}
