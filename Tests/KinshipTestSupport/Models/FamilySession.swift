import Kinship
import KinshipTranslation

/// A model layer of class instances on a queue of its own.
package actor FamilySession: ModelSession {
  private let context: FamilyContext
  private nonisolated let executor: QueueExecutor
  package nonisolated let log: ModelLog
  private var commitFailure: (any Error)?

  package init() {
    let (executor, log) = (QueueExecutor(), ModelLog())
    (self.executor, self.log) = (executor, log)
    context = FamilyContext(executor, log)
  }

  isolated deinit { context.close() }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package func read<Answer: Sendable>(
    _ body: @escaping @Sendable (FamilyContext) throws -> Answer
  ) throws -> Answer {
    try body(context)
  }

  package func write<Answer: Sendable>(
    _ body: @escaping @Sendable (FamilyContext) throws -> Answer
  ) throws -> Answer {
    do {
      let answer = try body(context)
      if let commitFailure { throw commitFailure }
      context.commit()
      return answer
    } catch {
      context.rollback()
      throw error
    }
  }

  /// Makes commits fail from now on.
  package func failCommits(with error: (any Error)?) { commitFailure = error }
}
