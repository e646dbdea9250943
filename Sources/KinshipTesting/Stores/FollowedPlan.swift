package import Kinship

/// The records that a plan reaches, found by ids, a generation at a time, in the plainest way.
package final class FollowedPlan {
  private let store: any BackingStore
  private let plan: FetchPlan
  private var room: Int
  private var seen: Set<AnyRef>
  /// All records reached, except the first ones, in order.
  package private(set) var reached: [any GraphRecord] = []

  fileprivate init(_ plan: FetchPlan, from refs: [AnyRef], room: Int, in store: any BackingStore) {
    (self.plan, self.store, self.room, seen) = (plan, store, room, Set(refs))
  }

  fileprivate func follow(_ records: [any GraphRecord]) async throws {
    var (records, generation) = (records, 0)
    while !records.isEmpty {
      var refs: [AnyRef] = []
      for record in records { add(from: record, generation, to: &refs) }
      records = []
      for ref in refs.prefix(room) {
        if let record = try await fetch(ref.type, ref) { records.append(record) }
      }
      room -= records.count
      reached += records
      generation += 1
    }
  }

  private func add<R: GraphRecord>(from record: R, _ generation: Int, to refs: inout [AnyRef]) {
    for (relationship, generations) in plan.relationships(of: R.self)
    where generation < generations {
      add(from: record, relationship, to: relationship.target, &refs)
    }
  }

  private func add<R: GraphRecord, T: GraphRecord>(
    from record: R, _ relationship: RecordRelationship<R>, to type: T.Type, _ refs: inout [AnyRef]
  ) {
    for ref in relationship.refs(from: record, to: type) where seen.insert(AnyRef(ref)).inserted {
      refs.append(AnyRef(ref))
    }
  }

  private func fetch<R: GraphRecord>(_ type: R.Type, _ ref: AnyRef) async throws -> R? {
    guard let ref = ref.as(type) else { return nil }
    return try await store.fetch(type, ids: [ref.id]).first
  }

  package func addRelated<Root: GraphRecord>(to graph: inout FetchedGraph<Root>) {
    func add<R: GraphRecord>(_ record: R) { graph.add([record]) }
    for record in reached { add(record) }
  }
}

extension BackingStore {
  /// The records that a plan reaches from some records, except the first few.
  package func followed<R: GraphRecord>(
    _ plan: FetchPlan, from type: R.Type, _ ids: [R.ID], omitting omitted: Int = 0
  ) async throws -> FollowedPlan {
    let room = plan.limit == .max ? .max : max(0, plan.limit - ids.count)
    let followed = FollowedPlan(
      plan, from: ids.map { AnyRef(Ref<R>($0)) }, room: room, in: self)
    try await followed.follow(fetch(type, ids: ids).dropFirst(omitted).map { $0 })
    return followed
  }
}
