#if PostgreSQL
  internal import Kinship

  /// The statements of recent graphs; most graphs use one of a few plans.
  final class GraphStatements: Sendable {
    /// The most plans to keep.
    private static let limit = 64

    private let known = Lock<[GraphOutline.Shape: [String]]>([:])

    /// Returns the statements of a graph, with their parameters.
    func commands(
      _ outline: GraphOutline, _ ids: [Parameter], limit: Int
    ) throws -> [SQLCommand] {
      let parameters = ids + [try PostgreSQLType.int8.parameter(.integer(Int64(limit)))]
      let shape = outline.shape
      let statements = known.withLock { $0[shape] } ?? remember(outline.statements, shape)
      return statements.map { SQLCommand($0, parameters) }
    }

    private func remember(_ statements: [String], _ shape: GraphOutline.Shape) -> [String] {
      known.withLock { known in
        if known.count >= Self.limit { known.removeAll() }
        known[shape] = statements
      }
      return statements
    }
  }
#endif
