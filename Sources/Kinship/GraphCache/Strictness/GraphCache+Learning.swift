extension GraphCache {
  /// Runs a piece of a program, and finds the smallest plan that brings along all it reads.
  ///
  /// ```swift
  /// let (names, learned) = try await cache.learningPlan {
  ///   let albert = try await cache.resolve(Ref<Person>(42))
  ///   let father = try await cache.related(albert, \.father)
  ///   return [albert.name, father?.name]
  /// }
  /// print(learned.source)
  /// ```
  ///
  /// What counts is what the task and those that it starts read by `resolve`, `find`, `related` and
  /// graphs, whether it is in memory or not. What is read from memory alone, as by ``peek(_:)``,
  /// and what transactions and observers read, does not. A graph is read as a whole. The plans have
  /// no limit.
  ///
  /// No relationship of a plan can be followed less far, for all that the records tell that were
  /// read.
  ///
  /// - Parameter body: What to run.
  /// - Returns: What it returns, and the plan.
  /// - Throws: What it throws.
  /// - Complexity: Besides what it runs, O(*n* *r* log *g*) in the records that are read, the
  ///   relationships that lead to them, and the generations.
  public nonisolated(nonsending) func learningPlan<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> (result: Result, plan: LearnedPlan) {
    let recorder = ReadRecorder(of: self)
    let before = await beginLearning()
    do {
      let result = try await ReadRecorder.$current.withValue(
        ReadRecorder.current + [recorder], operation: body)
      let (trail, referrerCalls) = recorder.result
      let calls = await endLearning() - before + referrerCalls
      return (result, LearnedPlan(trail, schema, callCount: calls, batchSize: batchSize))
    } catch {
      _ = await endLearning()
      throw error
    }
  }

  private func beginLearning() -> Int { countCalls(watching: 1) }

  private func endLearning() -> Int { countCalls(watching: -1) }

  /// While anybody watches, reads of single records and graphs take a turn of the actor.
  private func countCalls(watching change: Int) -> Int {
    watchers += change
    return state.withLock { state in
      state.detours += change
      return state.loader.tally.batches + state.loader.tally.queries
    }
  }
}
