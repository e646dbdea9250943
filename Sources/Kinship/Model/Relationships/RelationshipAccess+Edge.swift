extension RelationshipAccess: EdgeOperations {
  private var writable: WritableKeyPath<Source, Value>? {
    keyPath as? WritableKeyPath<Source, Value>
  }

  // MARK: Deletion

  func deleteTargets(
    of sources: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ map: borrowing IdentityMap
  ) {
    if rule == .nullify || rule == .none { return }
    var found: [Target.ID] = []
    var unknown: [Target.ID] = []
    for id in sources.of(Source.self) {
      guard let record = staging.read(id, as: Source.self, map).element else { continue }
      let first = found.count
      for target in targets(of: record) {
        switch staging.read(target, as: Target.self, map) {
        case .missing: continue
        case .unknown: unknown.append(target)
        case .present: found.append(target)
        }
      }
      if rule == .deny { deny(IDs([id], of: edge.source), for: found[first...], of: target, &plan) }
    }
    if rule == .cascade { plan.doom(found, of: target) }
    if !unknown.isEmpty { plan.needs.append(IDs(unknown, of: target)) }
  }

  func deleteReferrers(
    to targets: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ map: inout IdentityMap
  ) {
    if rule == .none { return }
    var found: [Source.ID] = []
    var unknown: [Target.ID] = []
    forEachReferrers(of: targets.of(Target.self), staging, &map) { id, sources, isComplete in
      if !isComplete { unknown.append(id) }
      if rule == .deny {
        deny(IDs([id], of: target), for: sources[...], of: edge.source, &plan)
      } else {
        found += sources
      }
    }
    if rule == .cascade { plan.doom(found, of: edge.source) }
    if rule == .nullify { plan.detach(found, by: edge) }
    if !unknown.isEmpty { plan.referrerNeeds.append((edge, IDs(unknown, of: target))) }
  }

  private func deny<ID: Hashable & Sendable>(
    _ deleted: IDs, for ids: ArraySlice<ID>, of type: TypeNumber, _ plan: inout DeletePlan
  ) {
    for id in ids {
      plan.denials.append(
        DeletePlan.Denial(edge: edge, record: IDs([id], of: type), deleted: deleted))
    }
  }

  func detach(_ plan: DeletePlan, _ staging: Staging, _ map: borrowing IdentityMap) {
    guard let path = writable else { return }
    let gone = plan.doomed(target, as: Target.self).members
    let doomed = plan.doomed(edge.source, as: Source.self).members
    staging.table(edge.source, of: Source.self).change(in: staging) { values in
      for id in plan.detached(by: edge, as: Source.self).list where !doomed.contains(id) {
        guard case .present(let record) = values.read(id, map),
          let rest = View.removing(gone, from: record[keyPath: path])
        else { continue }
        values.set([PropertyChange(property, to: rest)], of: id, map)
      }
    }
  }

  // MARK: Who refers to whom

  func referrers(
    to targets: IDs, _ staging: Staging, _ map: inout IdentityMap
  ) -> (sources: IDs, incomplete: IDs) {
    var found = OrderedIDs<Source.ID>()
    var unknown: [Target.ID] = []
    forEachReferrers(of: targets.of(Target.self), staging, &map) { id, sources, isComplete in
      if !isComplete { unknown.append(id) }
      for source in sources { _ = found.append(source) }
    }
    return (IDs(found.list, of: edge.source), IDs(unknown, of: target))
  }

  func referrers(
    toThoseIn slots: [Slot], _ staging: Staging, _ map: inout IdentityMap
  ) -> [FoundReferrers] {
    let ids = slots.map { map.pages.pointer(to: $0, as: Target.self).pointee.id }
    var lists: [(id: Target.ID, sources: [Source.ID], isComplete: Bool)] = []
    forEachReferrers(of: ids, staging, &map) { lists.append(($0, $1, $2)) }
    guard let table = map.table(Source.self) else { return [] }
    return lists.map { list in
      let sources = list.sources.sortedIfComparable()
      let slots = sources.map { table.pointee.lookup($0, in: map.pages) }
      return FoundReferrers(
        target: IDs([list.id], of: target), slots: slots,
        absent: zip(sources, slots).filter { $1 == .absent }.map { IDs([$0.0], of: edge.source) },
        isComplete: list.isComplete)
    }
  }

  func stagedReferrers(to target: IDs, _ staging: Staging) -> [IDs] {
    let values = staging.values(edge.source, of: Source.self)
    let lists = stagedLists(staging, values)
    return target.of(Target.self).flatMap { lists.sources(of: $0) }.map {
      IDs([$0], of: edge.source)
    }
  }

  func noteComplete(_ targets: IDs, _ staging: Staging?, _ map: inout IdentityMap) {
    let index = index(&map)
    let ids = targets.of(Target.self)
    for id in ids { index.complete.insert(id) }
    guard let staging else { return }
    let known = complete(index, staging, map).union(ids)
    note(StagedCompleteness(ids: known, age: age(index, map)), staging)
  }

  func noteComplete(_ targets: IDs, whateverIsForgottenIn staging: Staging) {
    let known = staging.complete.withLock {
      $0.value(edge, as: StagedCompleteness<Target.ID>.self)?.ids
    }
    note(
      StagedCompleteness(ids: (known ?? []).union(targets.of(Target.self)), age: nil), staging)
  }

  private func note(_ completeness: StagedCompleteness<Target.ID>, _ staging: Staging) {
    staging.complete.withLock { $0.change(edge, from: completeness) { $0 = completeness } }
  }

  func beginAsking(_ map: inout IdentityMap) -> Int { index(&map).beginAsking() }

  func endAsking(_ map: inout IdentityMap) { index(&map).endAsking() }

  func hasLostReferrers(
    to targets: IDs, since moment: Int, _ map: inout IdentityMap
  ) -> Bool {
    let evicted = index(&map).evicted.turns
    if evicted.isEmpty { return false }
    for target in targets.of(Target.self) {
      for (source, turn) in evicted[target] ?? [:]
      where turn > moment && map.knowledge(of: source, as: Source.self).isUnknown { return true }
    }
    return false
  }

  func forgettings(_ map: inout IdentityMap) -> Int { index(&map).forgettings }

  // MARK: The other side

  func difference(of change: ErasedChange) -> (lost: IDs, gained: IDs) {
    let before = change.old.map { targets(of: checked($0, as: Source.self)) } ?? []
    let after = change.new.map { targets(of: checked($0, as: Source.self)) } ?? []
    if before == after {
      let nothing = IDs([Target.ID](), of: target)
      return (nothing, nothing)
    }
    let (lost, gained) = (Set(before).subtracting(after), Set(after).subtracting(before))
    return (
      IDs(before.filter { lost.contains($0) }, of: target),
      IDs(after.filter { gained.contains($0) }, of: target)
    )
  }

  func link(
    _ sources: IDs, to target: IDs, _ isLinking: Bool, _ staging: Staging,
    _ map: borrowing IdentityMap
  ) -> (changes: [ErasedChange], unknown: IDs) {
    var changes: [ErasedChange] = []
    var unknown: [Source.ID] = []
    staging.table(edge.source, of: Source.self).values.withLock { values in
      guard let path = writable, let target = target.of(Target.self).first else { return }
      for id in sources.of(Source.self) {
        switch values.read(id, map) {
        case .missing: continue
        case .unknown: unknown.append(id)
        case .present(let old):
          if targets(of: old).contains(target) == isLinking { continue }
          var new = old
          if isLinking {
            new[keyPath: path] = View.inserting(Ref(target), into: new[keyPath: path])
          } else if let rest = View.removing([target], from: new[keyPath: path]) {
            new[keyPath: path] = rest
          } else {
            // It needs a ref, and nobody has said to whom: it keeps this one.
            continue
          }
          values.set([PropertyChange(property, to: new[keyPath: path])], of: id, map)
          changes.append(ErasedChange(old, new, of: Ref(id), edge.source))
        }
      }
    }
    return (changes, IDs(unknown, of: edge.source))
  }

  // MARK: Checking

  func audit(_ map: borrowing IdentityMap) -> [String] {
    guard let index = map.indexes[edge] else { return [] }
    var scanned: [Target.ID: Set<Source.ID>] = [:]
    map.forEach(Source.self) { record in
      for target in targets(of: record) { scanned[target, default: []].insert(record.id) }
    }
    let indexed = unsafeDowncast(index, to: Index.self).lists.turns.mapValues { Set($0.keys) }
    if indexed == scanned { return [] }
    return ["the referrers by \(keyPath) are \(scanned), in the index \(indexed)"]
  }
}
