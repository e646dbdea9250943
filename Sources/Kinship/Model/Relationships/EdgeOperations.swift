/// What deletions and inverses do along a relationship whose types are known by number only.
///
/// Transactions do: so all of it is generic, and one body serves all relationships.
struct EdgeOperations: Sendable {
  /// Which relationship it is, and the number of its target type.
  struct Place: Hashable, Sendable {
    let edge: EdgeID
    let target: Int

    init(edge: EdgeID, target: Int) {
      self.edge = edge
      self.target = target
    }
  }

  /// Follows the rule for the targets of an array of records that are to be deleted.
  let deleteTargets:
    @Sendable (any Sendable, DeleteRule, Place, Staging, borrowing IdentityMap, inout DeletePlan) ->
      Void
  /// Follows the rule for those who refer to an array of records that are to be deleted.
  let deleteReferrers:
    @Sendable (any Sendable, DeleteRule, Place, Staging, inout IdentityMap, inout DeletePlan) ->
      Void
  /// Takes the refs to deleted records out of those who hold them.
  let detach: @Sendable (DeletePlan, Place, Staging, borrowing IdentityMap) -> Void
  /// Whether refs can be taken out.
  let canDetach: Bool
  /// The ids of those who refer to an array of ids, and those ids of which that may not be everybody.
  let referrers:
    @Sendable (any Sendable, Place, Staging, inout IdentityMap) -> (any Sendable, any Sendable)
  /// The ids of those among staged records who refer to an id.
  let stagedReferrers: @Sendable (any Sendable, Place, Staging) -> [any Sendable]
  /// To which targets a record referred that its new version does not refer to, and the other way
  /// round: arrays of the target's ids.
  let difference: @Sendable ((any Sendable)?, (any Sendable)?) -> (any Sendable, any Sendable)
  /// Makes the records of an array of ids refer to a record, or no longer.
  let link:
    @Sendable (any Sendable, any Sendable, Bool, Place, Staging, borrowing IdentityMap) -> Linked
  /// Whether the property can be set.
  let isWritable: Bool
  /// Notes that all who refer to an array of targets are in memory.
  let noteComplete: @Sendable (any Sendable, Place, Staging?, inout IdentityMap) -> Void
  /// How often what is known to be complete was forgotten.
  let forgettings: @Sendable (Place, inout IdentityMap) -> Int
  /// What is wrong with the index of who refers to whom.
  let audit: @Sendable (Place, borrowing IdentityMap) -> [String]

  init<Source: GraphRecord, Value: RelationshipValue>(
    _ keyPath: any KeyPath<Source, Value> & Sendable, offset: Int
  ) {
    typealias Target = Value.Target
    typealias Edge = RelationshipAccess<Source, Value>
    let edge = Edge(keyPath, offset: offset)
    deleteTargets = { ids, rule, place, staging, map, plan in
      edge.deleteTargets(of: ids as? [Source.ID] ?? [], rule, place, staging, map, &plan)
    }
    deleteReferrers = { ids, rule, place, staging, map, plan in
      edge.deleteReferrers(of: ids as? [Target.ID] ?? [], rule, place, staging, &map, &plan)
    }
    detach = { plan, place, staging, map in edge.detach(plan, place, staging, map) }
    canDetach = edge.canDetach
    referrers = { ids, place, staging, map in
      edge.referrers(of: ids as? [Target.ID] ?? [], place, staging, &map)
    }
    stagedReferrers = { id, place, staging in
      guard let id = id as? Target.ID else { return [] }
      let table = staging.table(place.edge.source, of: Source.self)
      return edge.stagedLists(place.edge, staging, table.values.withLock { $0 }).sources(of: id)
    }
    difference = { old, new in
      let before = (old as? Source).map { edge.targets(of: $0) } ?? []
      let after = (new as? Source).map { edge.targets(of: $0) } ?? []
      let (lost, gained) = (Set(before).subtracting(after), Set(after).subtracting(before))
      return (before.filter { lost.contains($0) }, after.filter { gained.contains($0) })
    }
    link = { ids, target, isLinking, place, staging, map in
      guard let ids = ids as? [Source.ID], let target = target as? Target.ID else {
        return Linked()
      }
      return edge.link(ids, to: target, isLinking, place, staging, map)
    }
    isWritable = keyPath is WritableKeyPath<Source, Value>
    noteComplete = { targets, place, staging, map in
      let index = edge.index(place.edge, &map)
      let ids = targets as? [Target.ID] ?? []
      for id in ids { index.complete.insert(id) }
      if let staging {
        let known = edge.complete(place.edge, index, staging, map)
        staging.complete.put(
          StagedCompleteness(ids: known.union(ids), age: edge.age(index, map)), place.edge)
      }
    }
    forgettings = { place, map in edge.index(place.edge, &map).forgettings }
    audit = { place, map in edge.audit(place.edge, map) }
  }
}

/// What became of records that were to refer to another, or no longer.
struct Linked: Sendable {
  /// The records that have changed, before and after.
  var changes: [(old: any Sendable, new: any Sendable)] = []
  /// The ids, an array, of those of whom nothing is known.
  var unknown: (any Sendable)?

  init() {}
}
