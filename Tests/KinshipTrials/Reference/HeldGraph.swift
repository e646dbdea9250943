import Kinship
import KinshipTestSupport

/// A graph of either root type that was returned earlier.
enum HeldGraph<ID: TestID>: Sendable {
  case author(Graph<Author<ID>>)
  case work(Graph<Work<ID>>)

  init<R: LibraryRecord>(_ graph: Graph<R>) throws {
    if let graph = graph as? Graph<Author<ID>> {
      self = .author(graph)
    } else if let graph = graph as? Graph<Work<ID>> {
      self = .work(graph)
    } else {
      throw Mismatch("a graph of \(R.self)")
    }
  }

  func expanded<R: GraphRecord>(
    in cache: GraphCache, from ref: Ref<R>, _ plan: Plan<R>, within limit: Int?
  ) async throws -> HeldGraph {
    func expanded<Root>(_ graph: Graph<Root>) async throws -> Graph<Root> {
      guard let limit else { return try await cache.expand(graph, from: ref, plan) }
      return try await cache.expand(graph, from: ref, plan, .within(.milliseconds(limit * 100)))
    }
    return switch self {
    case .author(let graph): .author(try await expanded(graph))
    case .work(let graph): .work(try await expanded(graph))
    }
  }

  func lease(in cache: GraphCache) -> GraphCache.Lease {
    switch self {
    case .author(let graph): cache.lease(graph)
    case .work(let graph): cache.lease(graph)
    }
  }

  /// Verifies the contents of the graph.
  func verify(_ expected: ReferenceGraph) throws {
    switch self {
    case .author(let graph): try graph.verifyHolds(expected, ids: ID.self)
    case .work(let graph): try graph.verifyHolds(expected, ids: ID.self)
    }
  }

  /// Whether the graph equals a reference graph.
  func agrees(with expected: ReferenceGraph) -> Bool {
    do {
      try verify(expected)
      return true
    } catch {
      return false
    }
  }
}
