/// Who refers to whom by a relationship: the records of a type by their targets.
struct TargetIndex<Source: GraphRecord, Target: GraphRecord>: RecordIndex {
  private typealias Sources = HashedEntries<Source, SingleKey<Target.ID>>

  private let ids: @Sendable (Source) -> [Target.ID]
  private var sources = Sources([])
  private var targets: [Source.ID: [Target.ID]] = [:]

  init(_ relationship: RecordRelationship<Source>) {
    ids = relationship.ids(of: Target.self)
  }

  mutating func add(_ records: [Source]) {
    for record in records { insert(record) }
  }

  mutating func finish() {}

  mutating func put(_ record: Source) {
    remove(record.id)
    insert(record)
  }

  private mutating func insert(_ record: Source) {
    let ids = ids(record)
    if ids.isEmpty { return }
    targets[record.id] = ids
    for id in ids { sources.insert(SingleKey(id), record.id) }
  }

  mutating func remove(_ id: Source.ID) {
    for target in targets.removeValue(forKey: id) ?? [] {
      sources.remove(SingleKey(target), id)
    }
  }

  /// The ids of those who refer to at least one of some targets.
  func sources(of targets: [Ref<Target>]) -> Set<Source.ID> {
    targets.reduce(into: []) { $0.formUnion(sources.ids[SingleKey($1.id)]?.all ?? []) }
  }
}
