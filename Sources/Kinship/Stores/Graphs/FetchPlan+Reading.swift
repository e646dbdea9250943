/// A source of records for following a plan.
package protocol GenerationSource {
  /// Reads records by their ids, each once, in any order; it may leave out those that cannot be
  /// read.
  func read<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) throws -> [R]
}

extension FetchPlan {
  /// Reads the records that the plan leads to from requested ones, one generation after another.
  ///
  /// A generation with which there would be more than `most` is left out completely: the rest of it
  /// would take a second call.
  package func follow<R: GraphRecord>(
    from records: [R], by source: some GenerationSource, most: Int
  ) throws -> FetchedGraph<R> {
    var graph = FetchedGraph(records)
    var reach = Reach(plan: self)
    reach.reached(R.self).begin(with: records)
    var room = limit - records.count
    var (generation, rest, isMore) = (0, most, true)
    while isMore {
      for type in reach.types { type.askForTargets(beyond: generation, in: &reach) }
      rest -= min(room, reach.types.reduce(0) { $0 + $1.unreadCount })
      if rest < 0 { break }
      isMore = false
      for type in reach.types where try type.read(by: source, into: &graph, &room) { isMore = true }
      generation += 1
    }
    return graph
  }
}

/// The records that a plan leads to, by type, in the order in which it reaches the types.
private struct Reach {
  let plan: FetchPlan
  private(set) var types: [any ReachedType] = []

  mutating func reached<R: GraphRecord>(_ type: R.Type) -> Reached<R> {
    for known in types { if let known = known as? Reached<R> { return known } }
    let new = Reached<R>(plan.relationships(of: type))
    types.append(new)
    return new
  }
}

private protocol ReachedType: AnyObject {
  /// The number of ids that have been requested and not read yet.
  var unreadCount: Int { get }

  /// Requests the records that the last generation leads to.
  func askForTargets(beyond generation: Int, in reach: inout Reach)

  /// Reads the next generation, up to the limit.
  ///
  /// Returns whether there are any records.
  func read<Root: GraphRecord>(
    by source: some GenerationSource, into graph: inout FetchedGraph<Root>, _ room: inout Int
  ) throws -> Bool
}

/// The records of a type that a plan leads to.
private final class Reached<R: GraphRecord>: ReachedType {
  private let relationships: [(relationship: RecordRelationship<R>, generations: Int)]
  /// The ids that have been requested, each once, and the number that has been read.
  private var asked = OrderedIDs<R.ID>()
  private var readCount = 0
  /// The records of the last generation.
  private var records: [R] = []

  init(_ relationships: [(relationship: RecordRelationship<R>, generations: Int)]) {
    self.relationships = relationships
  }

  var unreadCount: Int { asked.list.count - readCount }

  func begin(with records: [R]) {
    self.records = records
    asked.append(contentsOf: records.map { $0.id })
    readCount = asked.list.count
  }

  func askForTargets(beyond generation: Int, in reach: inout Reach) {
    func ask<T: GraphRecord>(for type: T.Type, by relationship: RecordRelationship<R>) {
      reach.reached(type).asked.append(contentsOf: relationship.ids(of: type, in: records))
    }
    if records.isEmpty { return }
    for (relationship, generations) in relationships where generations > generation {
      ask(for: relationship.target, by: relationship)
    }
  }

  func read<Root: GraphRecord>(
    by source: some GenerationSource, into graph: inout FetchedGraph<Root>, _ room: inout Int
  ) throws -> Bool {
    let ids = Array(asked.list[readCount...].prefix(max(0, room)))
    readCount = asked.list.count
    records = ids.isEmpty ? [] : try source.read(R.self, ids: ids)
    room -= records.count
    graph.add(generation: records)
    return !records.isEmpty
  }
}
