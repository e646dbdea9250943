/// What reads records for who follows a plan through them.
package protocol GenerationSource {
  /// Reads records by their ids.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids, each once.
  /// - Returns: The records that exist, in any order; those that cannot be read may be left out.
  /// - Throws: What keeps it from reading.
  func read<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) throws -> [R]
}

extension FetchPlan {
  /// Reads what the plan leads to from records, a generation after another.
  ///
  /// - Parameters:
  ///   - records: The records that were asked for.
  ///   - source: What reads the others.
  ///   - most: How many it may read of these. A generation that goes beyond is left out as a whole:
  ///     it would take a second call for the rest.
  /// - Returns: The records, with the others.
  /// - Throws: What the source throws.
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

/// What a plan leads to, by type, in the order in which it comes to the types.
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
  /// How many ids have been asked for and not read yet.
  var unreadCount: Int { get }

  /// Asks for what the last generation leads to.
  func askForTargets(beyond generation: Int, in reach: inout Reach)

  /// Reads what was asked for, as far as there is room: it is the next generation.
  ///
  /// Returns whether there are any records.
  func read<Root: GraphRecord>(
    by source: some GenerationSource, into graph: inout FetchedGraph<Root>, _ room: inout Int
  ) throws -> Bool
}

/// The records of a type that a plan leads to.
private final class Reached<R: GraphRecord>: ReachedType {
  private let relationships: [(relationship: RecordRelationship<R>, generations: Int)]
  /// Those that have been asked for, each once, and how many of them have been read.
  private var asked = OrderedIDs<R.ID>()
  private var readCount = 0
  /// Those of the last generation.
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
