/// Who refers to whom by a relationship: the records of a type by their targets.
struct TargetIndex<Source: GraphRecord, Target: GraphRecord>: RecordIndex {
  private let relationship: RecordRelationship<Source>
  private var sources: [Target.ID: Set<Source.ID>] = [:]
  private var targets: [Source.ID: [Target.ID]] = [:]

  init(_ relationship: RecordRelationship<Source>) { self.relationship = relationship }

  mutating func put(_ record: Source) {
    remove(record.id)
    let ids = relationship.refs(from: record, to: Target.self).map { $0.id }
    guard !ids.isEmpty else { return }
    targets[record.id] = ids
    for id in ids { sources[id, default: []].insert(record.id) }
  }

  mutating func remove(_ id: Source.ID) {
    for target in targets.removeValue(forKey: id) ?? [] {
      sources[target]?.remove(id)
      if sources[target]?.isEmpty == true { sources[target] = nil }
    }
  }

  /// The ids of those who refer to at least one of some targets.
  func sources(of targets: [Ref<Target>]) -> Set<Source.ID> {
    targets.reduce(into: []) { $0.formUnion(sources[$1.id] ?? []) }
  }
}
