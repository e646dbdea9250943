import KinshipTestSupport

/// Requests every graph of up to four records: a property that holds for all of them is seldom
/// wrong for larger ones.
///
/// With the usual effort it is a sample, evenly spread. With forty times the effort it is complete.
/// Each returns the number of trials, and throws `Mismatch` if a graph differs from a search.
package enum SmallGraphs {
  /// Every plan, every budget, and every possible contents of memory, for every graph.
  package static func everyWayToAsk(nodeCount: Int) throws -> Int {
    let generations = nodeCount + 1
    let budgets = [.max] + Array(1...nodeCount)
    let subsets = 1 << nodeCount
    let worlds = Array(DirectedGraph.all(nodeCount: nodeCount))
    let ways = generations * budgets.count * subsets
    return try run(
      sample(of: worlds.count * ways).map { index in
        SmallGraphTrial(
          world: worlds[index / ways], generations: index % generations,
          budget: budgets[index / generations % budgets.count],
          cachedBits: index / generations / budgets.count % subsets)
      })
  }

  /// Each of the 65,536 graphs once, with the 400 kinds of requests in turn.
  package static func everyGraphOfFour() throws -> Int {
    let worlds = DirectedGraph.all(nodeCount: 4)
    return try run(
      sample(of: worlds.count).enumerated().map { turn, index in
        SmallGraphTrial(
          world: worlds[worlds.index(worlds.startIndex, offsetBy: index)], generations: turn % 5,
          budget: [.max, 1, 2, 3, 4][turn / 5 % 5], cachedBits: turn / 25 % 16)
      })
  }

  /// Three records whose refs may lead to a missing fourth.
  package static func refsThatLeadNowhere() throws -> Int {
    let ways = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 3), (3, 6)]
    return try run(
      sample(of: 4096 * ways.count).map { index in
        let bits = index / ways.count
        let (generations, cachedBits) = ways[index % ways.count]
        let successors = (0..<3).map { from in (0..<4).filter { bits >> (from * 4 + $0) & 1 == 1 } }
        return SmallGraphTrial(
          world: DirectedGraph(successors: successors), generations: generations,
          budget: bits % 5 == 0 ? 2 : .max, cachedBits: cachedBits)
      })
  }

  /// A sample of the numbers below a count, evenly spread, by the effort; all of them if that
  /// suffices.
  private static func sample(of count: Int) throws -> [Int] {
    // The prime divides none of the counts, so no number is repeated.
    let number = try Effort().operations(1_700)
    return (0..<min(count, number)).map { $0 * 10_007 % count }
  }

  /// Runs trials, a chunk under one schedule, because its trace must not grow for ever.
  private static func run(_ trials: [SmallGraphTrial]) throws -> Int {
    for start in stride(from: 0, to: trials.count, by: 256) {
      let batchSize = trials[start..<min(trials.count, start + 256)]
      try Schedule.run(seed: UInt64(start), limit: .max) { schedule in
        for trial in batchSize { try await trial.run(schedule) }
      }
    }
    return trials.count
  }
}
