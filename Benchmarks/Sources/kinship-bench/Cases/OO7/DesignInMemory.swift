import Kinship

/// An OO7 database as objects, as records in a cache, and as a graph of all that was loaded once.
final class DesignInMemory {
  let design: Design
  let objects: DesignObjects
  let cache: GraphCache
  let graph: Graph<Module>
  /// The number of repetitions of a short operation, so that the clock has something to measure.
  let passes: Int

  init(_ design: Design, effort: Effort) async throws {
    self.design = design
    objects = DesignObjects(design)
    cache = GraphCache(schema: try Design.schema())
    try await design.put(into: cache)
    graph = try await cache.graph(of: design.module.ref, .generations(.max))
    passes = effort == .full ? 10 : 3
  }

  /// The number of atomic parts that T1 visits: those of each private composite part.
  var visitsOfAtoms: Int { visitsOfComposites * design.partsEach }

  var visitsOfComposites: Int { design.visitsOfComposites.reduce(0, +) }

  /// A sample of several passes of `operations`, each of which must return the expected number.
  func sample(
    _ what: String, operations: Int, expected: Int, _ work: () async throws -> Int
  ) async throws -> Sample {
    var total = 0
    let watch = Stopwatch()
    for _ in 0..<passes { total &+= try await work() }
    return Sample(
      watch.elapsed, operations: operations * passes,
      checks: [
        Check("objects", graph.count, expected: design.count),
        Check("objects in memory", cache.count, expected: design.count),
        Check(what, total, expected: expected &* passes),
      ])
  }

  /// The systems for the same work, the objects first.
  func systems(
    _ what: String, operations: Int, expected: Int, bar: Bar? = nil,
    objects byObjects: @escaping (DesignObjects) -> Int,
    graph byGraph: @escaping (Graph<Module>) -> Int
  ) -> [System] {
    [
      System("class instances") { [self] in
        try await sample(what, operations: operations, expected: expected) { byObjects(objects) }
      },
      System("Kinship, nodes of a graph", bar: bar) { [self] in
        try await sample(what, operations: operations, expected: expected) { byGraph(graph) }
      },
    ]
  }
}

/// The parts that a walk has visited within a composite part, by their ids.
struct VisitedParts {
  private var marks: [Int32] = []
  private var mark: Int32 = 0

  /// Clears the set.
  mutating func begin() { mark += 1 }

  /// Returns whether a part is visited for the first time.
  mutating func insert(_ id: Int) -> Bool {
    if id >= marks.count {
      marks += repeatElement(0, count: max(id + 1, 2 * marks.count) - marks.count)
    }
    if marks[id] == mark { return false }
    marks[id] = mark
    return true
  }
}
