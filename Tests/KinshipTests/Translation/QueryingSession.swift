import Kinship
import KinshipTranslation
import KinshipTestSupport

/// A model layer that answers queries by itself.
struct QueryingSession: ModelSession {
  let base: FamilySession

  func read<Answer: Sendable>(
    _ body: @escaping @Sendable (QueryingContext) throws -> Answer
  ) async throws -> Answer {
    try await base.read { try body(QueryingContext(base: $0)) }
  }

  func write<Answer: Sendable>(
    _ body: @escaping @Sendable (QueryingContext) throws -> Answer
  ) async throws -> Answer {
    try await base.write { try body(QueryingContext(base: $0)) }
  }
}
