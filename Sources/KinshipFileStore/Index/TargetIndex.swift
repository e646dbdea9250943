internal import Kinship

/// The ids of a type's records by the targets of a relationship.
struct TargetIndex<Source: GraphRecord, Target: GraphRecord>: RecordIndex {
  private let ids: @Sendable (Source) -> [Target.ID]
  private var entries = TargetEntries<Source.ID, Target.ID>()

  init(_ relationship: RecordRelationship<Source>) {
    ids = relationship.ids(of: Target.self)
  }

  mutating func add(_ records: [Source]) {
    entries.add(
      records.compactMap { record in
        let ids = ids(record)
        return ids.isEmpty ? nil : (record.id, ids)
      })
  }

  mutating func finish() {}

  mutating func put(_ record: Source) {
    remove(record.id)
    add([record])
  }

  mutating func remove(_ id: Source.ID) { entries.remove(id) }

  /// The ids of the records that refer to at least one of some targets.
  func sources(of targets: [Ref<Target>]) -> Set<Source.ID> {
    targets.reduce(into: []) { $0.formUnion(entries.sources[$1.id]?.all ?? []) }
  }
}

/// The ids of the sources by target id, specialised for the most common types of ids.
private struct TargetEntries<Source: Hashable & Sendable, Target: Hashable & Sendable>: Sendable {
  private(set) var sources: [Target: FewIDs<Source>] = [:]
  private var targets: [Source: [Target]] = [:]

  /// Adds sources that are not in the index yet.
  @_specialize(where Source == Int, Target == Int)
  @_specialize(where Source == String, Target == String)
  mutating func add(_ added: [(source: Source, targets: [Target])]) {
    for (source, found) in added {
      targets[source] = found
      // NaN equals nothing: no search finds it.
      for target in found where target == target {
        if let index = sources.index(forKey: target) {
          sources.values[index].insert(source)
        } else {
          sources[target] = .one(source)
        }
      }
    }
  }

  mutating func remove(_ source: Source) {
    for target in targets.removeValue(forKey: source) ?? [] {
      guard let index = sources.index(forKey: target) else { continue }
      if sources.values[index].remove(source) { sources.remove(at: index) }
    }
  }
}
