import Kinship

extension StoreContents {
  /// The form in which a change set gives an update.
  enum UpdateStyle: CaseIterable, Sendable {
    /// The old and the new record; the properties that differ were changed.
    case whole
    /// The old and the new record, and the properties that were set.
    case properties
    /// The properties that were set, of a record that was not in memory.
    ///
    /// Versions are always in memory.
    case blind
  }

  func changes(to other: StoreContents, style: UpdateStyle) -> ChangeSet {
    Self.types.reduce(ChangeSet()) { changes, type in
      changes.merging(self.changes(of: type, to: other, style: style))
    }
  }

  private func changes<R: TriedRecord>(
    of type: R.Type, to other: StoreContents, style: UpdateStyle
  ) -> ChangeSet {
    let (before, after) = (self[keyPath: R.shelf], other[keyPath: R.shelf])
    return ChangeSet(
      inserting: after.values.filter { before[$0.id] == nil },
      updating: after.values.compactMap { new in
        guard let old = before[new.id], old != new else { return nil }
        return R.update(from: old, to: new, style: style)
      },
      deleting: before.values.filter { after[$0.id] == nil })
  }

  /// The contents after changes that cannot be refused.
  func applying(_ changes: ChangeSet) -> StoreContents {
    var contents = self
    for type in Self.types { contents.apply(changes, of: type) }
    return contents
  }

  private mutating func apply<R: TriedRecord>(_ changes: ChangeSet, of type: R.Type) {
    for record in changes.deleted(type) { self[record.ref] = nil }
    for change in changes.updated(type) {
      guard var record = self[change.ref] else { continue }
      for property in change.properties ?? R.changes(from: change.old, to: change.new) {
        property.apply(to: &record)
      }
      self[change.ref] = record
    }
    for record in changes.inserted(type) { self[record.ref] = record }
  }

  /// The records for which a store must refuse changes: those to insert that exist, and those to
  /// update or delete that do not exist or have another version.
  func refusals(of changes: ChangeSet) -> (existing: Set<AnyRef>, conflicting: Set<AnyRef>) {
    var existing: Set<AnyRef> = []
    var conflicting: Set<AnyRef> = []
    func collect<R: TriedRecord>(_ type: R.Type) {
      existing.formUnion(
        changes.inserted(type).map(\.ref).filter { self[$0] != nil }.map { AnyRef($0) })
      for record in changes.deleted(type) where !isUnchanged(record, record.ref) {
        conflicting.insert(AnyRef(record.ref))
      }
      for change in changes.updated(type) where !isUnchanged(change.old, change.ref) {
        conflicting.insert(AnyRef(change.ref))
      }
    }
    for type in Self.types { collect(type) }
    return (existing, conflicting)
  }

  /// The records whose identity the changes would change.
  func identityChanges(of changes: ChangeSet) -> Set<AnyRef> {
    var refs: Set<AnyRef> = []
    func collect<R: TriedRecord>(_ type: R.Type) {
      for change in changes.updated(type) {
        guard var record = self[change.ref] else { continue }
        for property in change.properties ?? [] { property.apply(to: &record) }
        if record.id != change.ref.id || (change.new ?? record).id != change.ref.id {
          refs.insert(AnyRef(change.ref))
        }
      }
    }
    for type in Self.types { collect(type) }
    return refs
  }

  private func isUnchanged<R: TriedRecord>(_ old: R?, _ ref: Ref<R>) -> Bool {
    guard let stored = self[ref] else { return false }
    let (mine, theirs) = (old as? any Versioned, stored as? any Versioned)
    return mine == nil || mine?.version == theirs?.version
  }

  /// The contents without dangling refs, and without the records that require their targets.
  var withoutDanglingRefs: StoreContents {
    var contents = self
    contents.events = events.filter { people[$0.value.person.id] != nil }
    contents.citations = citations.filter { sources[$0.value.source.id] != nil }
    let there = contents
    func isThere<R: TriedRecord>(_ ref: Ref<R>?) -> Ref<R>? {
      ref.flatMap { there[$0] == nil ? nil : $0 }
    }
    for id in people.keys {
      contents.people[id]?.father = isThere(people[id]?.father)
      contents.people[id]?.mother = isThere(people[id]?.mother)
      contents.people[id]?.children = people[id]?.children.compactMap(isThere) ?? []
      contents.people[id]?.events = people[id]?.events.compactMap(isThere) ?? []
    }
    for id in contents.events.keys { contents.events[id]?.place = isThere(events[id]?.place) }
    for id in places.keys { contents.places[id]?.region = isThere(places[id]?.region) }
    for id in sources.keys { contents.sources[id]?.whole = isThere(sources[id]?.whole) }
    for id in contents.citations.keys {
      contents.citations[id]?.people = citations[id]?.people.compactMap(isThere) ?? []
    }
    return contents
  }

  /// The contents with the versions of changed records one above those of earlier contents.
  func sealed(after earlier: StoreContents) -> StoreContents {
    var contents = self
    for (id, citation) in citations {
      guard let old = earlier.citations[id], old != citation else { continue }
      contents.citations[id]?.version = old.version + 1
    }
    return contents
  }
}

extension TriedRecord {
  static func update(
    from old: Self, to new: Self, style: StoreContents.UpdateStyle
  ) -> UpdatedRecord<Self> {
    if style == .whole {
      return UpdatedRecord(new.ref, old: old, new: new, properties: nil)
    }
    let changes = changes(from: old, to: new)
    let isBlind = style == .blind && !(old is any Versioned)
    return UpdatedRecord(
      new.ref, old: isBlind ? nil : old, new: isBlind ? nil : new, properties: changes)
  }

  /// The properties in which two records differ, with the values of the second.
  static func changes(from old: Self?, to new: Self?) -> [PropertyChange<Self>] {
    guard let old, let new else { return [] }
    return (properties + versionProperties).filter { $0.differs(old, new) }.map { $0.change(new) }
  }

  /// The version property, if records have one.
  private static var versionProperties: [TriedProperty<Self>] {
    [TriedProperty<TestCitation>(\.version)] as? [TriedProperty<Self>] ?? []
  }
}
