extension EdgeOperations {
  private var writable: WritableKeyPath<Source, View.Stored>? {
    keyPath as? WritableKeyPath<Source, View.Stored>
  }

  // MARK: Deletion

  /// Applies the delete rule to the targets of records to delete.
  func deleteTargets(
    of sources: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked
  ) {
    if rule == .nullify || rule == .none { return }
    var unknown: [Target.ID] = []
    let ids = sources.of(Source.self)
    for chunk in Chunk.ranges(ids.count) {
      /// The targets of one source after another, and the end of each source's targets.
      var (named, ends) = ([Target.ID](), [Int]())
      ends.reserveCapacity(chunk.count)
      locked { map in
        let values = staging.values(edge.source, of: Source.self)
        addTargets(of: ids[chunk], values, map, to: &named, &ends)
      }
      // A record may name many, and each of them is looked up.
      var others: [(place: Int, isUnknown: Bool)] = []
      for chunk in Chunk.ranges(named.count) {
        locked { map in
          let values = staging.values(target, of: Target.self)
          others += self.others(among: named[chunk], values, map)
        }
      }
      for (place, isUnknown) in others where isUnknown { unknown.append(named[place]) }
      // Usually all of them exist.
      if !others.isEmpty { remove(others.map(\.place), from: &named, &ends) }
      if rule == .cascade { plan.addDeletions(named, of: target) }
      guard rule == .deny else { continue }
      for (number, place) in chunk.enumerated() {
        let found = named[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
        deny(IDs([ids[place]], of: edge.source), for: found, of: target, &plan)
      }
    }
    if !unknown.isEmpty { plan.missing.records.append(IDs(unknown, of: target)) }
  }

  /// Removes some of the targets of one source after another.
  private func remove(_ places: [Int], from targets: inout [Target.ID], _ ends: inout [Int]) {
    let places = Set(places)
    var kept: [Target.ID] = []
    var start = 0
    for (number, end) in ends.enumerated() {
      for place in start..<end where !places.contains(place) { kept.append(targets[place]) }
      (start, ends[number]) = (end, kept.count)
    }
    targets = kept
  }

  /// Applies the delete rule to the referrers of records to delete.
  func deleteReferrers(
    to targets: IDs, by rule: DeleteRule, _ plan: inout DeletePlan, _ staging: Staging,
    _ locked: Locked
  ) {
    if rule == .none { return }
    var unknown: [Target.ID] = []
    let ids = targets.of(Target.self)
    for chunk in Chunk.ranges(ids.count) {
      var found: [Source.ID] = []
      var denials: [(deleted: Target.ID, by: [Source.ID])] = []
      found.reserveCapacity(chunk.count)
      locked { map in
        if rule != .deny, knowsAll(staging, &map) {
          return index(&map).lists.appendSources(of: ids[chunk], to: &found)
        }
        forEachReferrers(of: ids[chunk], staging, &map) { id, sources, isComplete in
          if !isComplete { unknown.append(id) }
          if rule != .deny { found += sources } else { denials.append((id, sources)) }
        }
      }
      for (id, sources) in denials {
        deny(IDs([id], of: target), for: sources[...], of: edge.source, &plan)
      }
      if rule == .cascade { plan.addDeletions(found, of: edge.source) }
      if rule == .nullify { plan.detach(found, by: edge) }
    }
    if !unknown.isEmpty { plan.missing.referrers.append((edge, IDs(unknown, of: target))) }
  }

  private func deny<ID: Hashable & Sendable>(
    _ deleted: IDs, for ids: ArraySlice<ID>, of type: TypeNumber, _ plan: inout DeletePlan
  ) {
    for id in ids {
      plan.denials.append(
        DeletePlan.Denial(edge: edge, record: IDs([id], of: type), deleted: deleted))
    }
  }

  /// Removes the refs to deleted records from their referrers.
  func detach(_ plan: DeletePlan, _ staging: Staging, _ locked: Locked) {
    guard let path = writable else { return }
    let gone = plan.deletions(target, as: Target.self).members
    let deletions = plan.deletions(edge.source, as: Source.self).members
    let ids = plan.detached(by: edge, as: Source.self).list.filter { !deletions.contains($0) }
    if ids.isEmpty { return }
    let table = staging.table(edge.source, of: Source.self)
    if ids.count > Chunk.size { table.values.withLock { $0.makeRoom(for: ids.count) } }
    for chunk in Chunk.ranges(ids.count, of: Chunk.small) {
      locked { map in
        table.change(in: staging) { values in
          for id in ids[chunk] {
            guard case .present(let record) = values.read(id, map),
              let rest = View.removing(gone, from: record[keyPath: path])
            else { continue }
            values.set([PropertyChange(property, to: rest)], of: id, map)
          }
        }
      }
    }
  }

  // MARK: Referrers

  /// Returns the referrers of some targets, and the targets that may have further referrers.
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

  /// Returns the referrers of each of the records in some slots.
  func referrers(
    toThoseIn slots: [Slot], _ staging: Staging, _ map: inout IdentityMap
  ) -> [FoundReferrers] {
    let ids = slots.map { map.pages.pointer(to: $0, as: Target.self).id }
    var lists: [(id: Target.ID, sources: [Source.ID], isComplete: Bool)] = []
    forEachReferrers(of: ids, staging, &map) { lists.append(($0, $1, $2)) }
    guard let table = map.table(Source.self) else { return [] }
    return lists.map { list in
      let sources = list.sources.sortedIfComparable()
      let slots = sources.map { table.lookup($0, in: map.pages) }
      return FoundReferrers(
        target: IDs([list.id], of: target), slots: slots,
        absent: zip(sources, slots).filter { $1 == .absent }.map { IDs([$0.0], of: edge.source) },
        isComplete: list.isComplete)
    }
  }

  /// Returns the staged records that refer to a target, as a list each.
  func stagedReferrers(to target: IDs, _ staging: Staging) -> [IDs] {
    let values = staging.values(edge.source, of: Source.self)
    if values.values.isEmpty { return [] }
    let lists = stagedLists(staging, values)
    var referrers: [IDs] = []
    for id in target.of(Target.self) {
      for source in lists.sources(of: id) { referrers.append(IDs([source], of: edge.source)) }
    }
    return referrers
  }

  /// Marks the referrers of some targets as complete in memory; for a transaction, if there is one.
  func addComplete(_ targets: IDs, _ staging: Staging?, _ map: inout IdentityMap) {
    let index = index(&map)
    let ids = targets.of(Target.self)
    for id in ids { index.complete.insert(id) }
    guard let staging else { return }
    let known = complete(index, staging, map).union(ids)
    addCompleteness(StagedCompleteness(ids: known, age: age(index, map)), staging)
  }

  /// Records for a transaction that it knows all referrers of some targets, even if the map drops
  /// some.
  func addComplete(_ targets: IDs, regardlessOfInvalidationsIn staging: Staging) {
    let known = staging.complete.withLock {
      $0.value(edge, as: StagedCompleteness<Target.ID>.self)?.ids
    }
    addCompleteness(
      StagedCompleteness(ids: (known ?? []).union(targets.of(Target.self)), age: nil), staging)
  }

  private func addCompleteness(_ completeness: StagedCompleteness<Target.ID>, _ staging: Staging) {
    staging.complete.withLock { $0.change(edge, from: completeness) { $0 = completeness } }
  }

  /// Notes the start of a store call for the referrers of some targets; returns the moment.
  func beginAsking(_ map: inout IdentityMap) -> Int { index(&map).beginAsking() }

  /// Notes that the store call has ended.
  func endAsking(_ map: inout IdentityMap) { index(&map).endAsking() }

  /// Returns whether a referrer of some targets has left memory since a moment, and nothing is
  /// known of it now.
  func hasLostReferrers(
    to targets: IDs, since moment: Int, _ map: inout IdentityMap
  ) -> Bool {
    let evicted = index(&map).evicted
    if evicted.isEmpty { return false }
    for target in targets.of(Target.self) {
      for source in evicted.sources(of: target, since: moment)
      where map.knowledge(of: source, as: Source.self).isUnknown { return true }
    }
    return false
  }

  /// Returns the number of times that known completeness was dropped.
  func invalidations(_ map: inout IdentityMap) -> Int { index(&map).invalidations }

  // MARK: The other side

  /// Returns the targets that a change of a record has removed, and those that it has added.
  func difference(of change: ErasedChange) -> (lost: IDs, gained: IDs) {
    let before = change.old.map { targets(of: checked($0, as: Source.self)) } ?? []
    let after = change.new.map { targets(of: checked($0, as: Source.self)) } ?? []
    if before == after {
      let nothing = IDs([Target.ID](), of: target)
      return (nothing, nothing)
    }
    // Most changed records are new.
    if before.isEmpty || after.isEmpty {
      return (IDs(before, of: target), IDs(after, of: target))
    }
    let (lost, gained) = (Set(before).subtracting(after), Set(after).subtracting(before))
    return (
      IDs(before.filter { lost.contains($0) }, of: target),
      IDs(after.filter { gained.contains($0) }, of: target)
    )
  }

  /// Adds or removes refs of some records to one.
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
            // It requires a ref, and no other target was given: it keeps this one.
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

  /// Returns the inconsistencies of the index of referrers, in words.
  func audit(_ map: borrowing IdentityMap) -> [String] {
    guard let index = map.indexes[edge] else { return [] }
    var scanned: [Target.ID: Set<Source.ID>] = [:]
    map.forEach(Source.self) { record in
      for target in targets(of: record) { scanned[target, default: []].insert(record.id) }
    }
    let lists = unsafeDowncast(index, to: Index.self).lists
    let indexed = lists.lists.keys.reduce(into: [:]) { $0[$1] = Set(lists.sources(of: $1)) }
    if indexed == scanned { return [] }
    return ["the referrers by \(keyPath) are \(scanned), in the index \(indexed)"]
  }
}

/// The old and new values of a record whose type is known only by number.
struct ErasedChange {
  /// The one record.
  let id: IDs
  let old: (any Sendable)?
  let new: (any Sendable)?

  init<R: GraphRecord>(_ old: R?, _ new: R?, of ref: Ref<R>, _ type: TypeNumber) {
    id = IDs([ref.id], of: type)
    self.old = old
    self.new = new
  }
}
