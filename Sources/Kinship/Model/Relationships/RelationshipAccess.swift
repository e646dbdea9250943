/// How the refs of one relationship are read and changed, and who refers to whom by it.
struct RelationshipAccess<Source: GraphRecord, Value: RelationshipValue>: Sendable {
  typealias Target = Value.Target
  typealias Index = ReferrerIndex<Source.ID, Target.ID>
  typealias Lists = ReferrerLists<Source.ID, Target.ID>

  let keyPath: any KeyPath<Source, Value> & Sendable
  let offset: Int
  /// To say of changes that they concern this property alone.
  let property: Property<Source>

  init(_ keyPath: any KeyPath<Source, Value> & Sendable, offset: Int) {
    self.keyPath = keyPath
    self.offset = offset
    property = Property(perhapsWritable: keyPath)
  }

  /// The property of a record: read at its offset, or by key path where it has none.
  func value(of record: Source) -> Value {
    if offset < 0 { return record[keyPath: keyPath] }
    return withUnsafePointer(to: record) {
      (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  func targets(of record: Source) -> [Target.ID] {
    var ids: [Target.ID] = []
    value(of: record).forEachRef { ids.append($0.id) }
    return ids
  }

  /// Whether refs can be taken out: the property can be set, and need not hold one.
  var canDetach: Bool {
    keyPath is WritableKeyPath<Source, Value> && !(Value.self is Ref<Target>.Type)
  }

  // MARK: Who refers to whom

  /// The index of the relationship, which is made from what is in memory if there is none yet.
  ///
  /// - Complexity: O(*n*) in the records of the type, the first time.
  func index(_ edge: EdgeID, _ map: inout IdentityMap) -> Index {
    if let index = map.indexes[edge] { return unsafeDowncast(index, to: Index.self) }
    let index = Index(limit: map.indexLimit)
    map.indexes[edge] = index
    guard let table = map.table(Source.self) else { return index }
    map.forEach(Source.self) { index.lists.add($0.id, to: targets(of: $0)) }
    table.pointee.watchers.append(
      Watcher { old, new, reason in
        if let old {
          let lost = targets(of: old)
          index.lists.remove(old.id, from: lost)
          if reason == .evicted { for target in lost { index.complete.remove(target) } }
        }
        if let new { index.lists.add(new.id, to: targets(of: new)) }
      } forget: {
        index.complete.removeAll()
        index.forgettings &+= 1
      })
    return index
  }

  /// Those of staged records who refer to whom; it catches up with what was staged.
  func stagedLists(_ edge: EdgeID, _ staging: Staging, _ values: StagedValues<Source>) -> Lists {
    var staged =
      staging.indexes.take(edge) as? StagedReferrers<Source.ID, Target.ID> ?? StagedReferrers()
    staged.catchUp(with: values) { targets(of: $0) }
    staging.indexes.put(staged, edge)
    return staged.lists
  }

  /// The targets of which the transaction has found all referrers, unless that was forgotten since, or others
  /// may have been stored.
  func complete(
    _ edge: EdgeID, _ index: Index, _ staging: Staging, _ map: borrowing IdentityMap
  ) -> Set<Target.ID> {
    guard let known = staging.complete.look(edge) as? StagedCompleteness<Target.ID> else {
      return []
    }
    let age = age(index, map)
    return (known.age ?? age) == age ? known.ids : []
  }

  /// How often anything was forgotten or stored.
  func age(_ index: Index, _ map: borrowing IdentityMap) -> UInt64 {
    UInt64(truncatingIfNeeded: index.forgettings) &+ map.commits
  }

  // MARK: Deletion

  func deleteTargets(
    of ids: [Source.ID], _ rule: DeleteRule, _ place: EdgeOperations.Place, _ staging: Staging,
    _ map: borrowing IdentityMap, _ plan: inout DeletePlan
  ) {
    if rule == .nullify || rule == .none { return }
    var doomed: [Target.ID] = []
    var unknown: [Target.ID] = []
    for id in ids {
      guard let record = staging.read(id, as: Source.self, map).element else { continue }
      for target in targets(of: record) {
        switch staging.read(target, as: Target.self, map) {
        case .missing: continue
        case .unknown: unknown.append(target)
        case .present:
          if rule == .cascade {
            doomed.append(target)
          } else {
            plan.denials.append(
              DeletePlan.Denial(
                edge: place.edge, type: place.target, id: target, deletedType: place.edge.source,
                deletedID: id))
          }
        }
      }
    }
    plan.doom(doomed, type: place.target)
    if !unknown.isEmpty { plan.need(unknown, type: place.target) }
  }

  func deleteReferrers(
    of ids: [Target.ID], _ rule: DeleteRule, _ place: EdgeOperations.Place, _ staging: Staging,
    _ map: inout IdentityMap, _ plan: inout DeletePlan
  ) {
    if rule == .none { return }
    var found: [Source.ID] = []
    var unknown: [Target.ID] = []
    forEachReferrers(of: ids, place, staging, &map) { id, sources, isComplete in
      if !isComplete { unknown.append(id) }
      if rule == .deny {
        for source in sources {
          plan.denials.append(
            DeletePlan.Denial(
              edge: place.edge, type: place.edge.source, id: source, deletedType: place.target,
              deletedID: id))
        }
      } else {
        found += sources
      }
    }
    if rule == .cascade { plan.doom(found, type: place.edge.source) }
    if rule == .nullify { plan.detach(found, by: place.edge) }
    if !unknown.isEmpty { plan.needReferrers(of: unknown, type: place.target, by: place.edge) }
  }

  func referrers(
    of ids: [Target.ID], _ place: EdgeOperations.Place, _ staging: Staging,
    _ map: inout IdentityMap
  ) -> (any Sendable, any Sendable) {
    var found = OrderedIDs<Source.ID>()
    var unknown: [Target.ID] = []
    forEachReferrers(of: ids, place, staging, &map) { id, sources, isComplete in
      if !isComplete { unknown.append(id) }
      for source in sources { _ = found.append(source) }
    }
    return (found.list, unknown)
  }

  /// Shows for each id those who refer to it, as a transaction sees it, and whether that is everybody.
  func forEachReferrers(
    of ids: [Target.ID], _ place: EdgeOperations.Place, _ staging: Staging,
    _ map: inout IdentityMap, _ body: (Target.ID, [Source.ID], _ isComplete: Bool) -> Void
  ) {
    let index = index(place.edge, &map)
    let values = staging.table(place.edge.source, of: Source.self).values.withLock { $0 }
    let staged = stagedLists(place.edge, staging, values)
    let complete = complete(place.edge, index, staging, map)
    // What pending writes show is in the index; what is committed of these records is not.
    let beneath = map.beneath(values)
    let isKnown = !beneath.contains { $0.value.isUnknown }
    for id in ids {
      var sources = staged.sources(of: id)
      for source in index.lists.sources(of: id)
      where values.positions[source] == nil && beneath[source] == nil {
        sources.append(source)
      }
      for (source, value) in beneath {
        if let record = value.element, targets(of: record).contains(id) { sources.append(source) }
      }
      let isComplete = isKnown && (map.isWhole || index.complete.contains(id))
      body(id, sources, isComplete || complete.contains(id))
    }
  }

  // MARK: The other side

  func link(
    _ ids: [Source.ID], to target: Target.ID, _ isLinking: Bool, _ place: EdgeOperations.Place,
    _ staging: Staging, _ map: borrowing IdentityMap
  ) -> Linked {
    var linked = Linked()
    guard let path = keyPath as? WritableKeyPath<Source, Value> else { return linked }
    var unknown: [Source.ID] = []
    staging.table(place.edge.source, of: Source.self).values.withLock { values in
      for id in ids {
        switch values.read(id, map) {
        case .missing: continue
        case .unknown: unknown.append(id)
        case .present(let old):
          if targets(of: old).contains(target) == isLinking { continue }
          var new = old
          if isLinking {
            new[keyPath: path] = new[keyPath: path].inserting(Ref(target))
          } else if let rest = new[keyPath: path].removing([target]) {
            new[keyPath: path] = rest
          } else {
            // It needs a ref, and nobody has said to whom: it keeps this one.
            continue
          }
          values.set([PropertyChange(property, to: new[keyPath: path])], of: id, map)
          linked.changes.append((old, new))
        }
      }
    }
    if !unknown.isEmpty { linked.unknown = unknown }
    return linked
  }

  func detach(
    _ plan: DeletePlan, _ place: EdgeOperations.Place, _ staging: Staging,
    _ map: borrowing IdentityMap
  ) {
    guard let sources = plan.detached[place.edge] as? OrderedIDs<Source.ID>,
      let gone = plan.doomed[place.target] as? OrderedIDs<Target.ID>,
      let path = keyPath as? WritableKeyPath<Source, Value>
    else { return }
    let doomed = plan.doomed[place.edge.source] as? OrderedIDs<Source.ID>
    staging.table(place.edge.source, of: Source.self).change(in: staging) { values in
      for id in sources.list where doomed?.members.contains(id) != true {
        guard case .present(let record) = values.read(id, map),
          let rest = record[keyPath: path].removing(gone.members)
        else { continue }
        values.set([PropertyChange(property, to: rest)], of: id, map)
      }
    }
  }
}
