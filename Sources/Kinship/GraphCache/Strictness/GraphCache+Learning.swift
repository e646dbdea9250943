extension GraphCache {
  /// Runs a piece of a program, and finds the smallest plan that includes all records that it
  /// reads.
  ///
  /// ```swift
  /// let (names, learned) = try await cache.learningPlan {
  ///   let albert = try await cache.resolve(Ref<Person>(42))
  ///   let father = try await cache.resolve(albert.father)
  ///   return [albert.name, father?.name]
  /// }
  /// print(learned.source)
  /// ```
  ///
  /// It counts what the task, and the tasks that it starts, read with `resolve`, `find` and graphs,
  /// whether it is in memory or not. It does not count reads of memory alone, such as
  /// ``peek(_:)->R?``, or the reads of transactions and observers. A graph counts as a whole. The
  /// plans have no limit.
  ///
  /// The plans are minimal for the records that were read: no relationship could be followed less
  /// far.
  ///
  /// - Parameter body: The code to run.
  /// - Returns: Its result, and the plan.
  /// - Throws: Any error that it throws.
  /// - Complexity: The cost of the code, plus O(*n* *r* log *g*) in the records that are read, the
  ///   relationships that lead to them, and the generations.
  public nonisolated(nonsending) func learningPlan<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> (result: Result, plan: LearnedPlan) {
    let recorder = ReadRecorder(of: self)
    let before = await countCalls(watching: 1)
    do {
      let result = try await ReadRecorder.$current.withValue(
        ReadRecorder.current + [recorder], operation: body)
      let (trail, referrerCalls) = recorder.result
      let calls = await countCalls(watching: -1) - before + referrerCalls
      return (result, LearnedPlan(trail, schema, callCount: calls, batchSize: batchSize))
    } catch {
      _ = await countCalls(watching: -1)
      throw error
    }
  }

  /// While reads are watched, reads of single records and graphs wait for the actor.
  private func countCalls(watching change: Int) -> Int {
    watchers += change
    return state.withLock { state in
      state.exclusiveCount += change
      return state.loader.tally.batches + state.loader.tally.queries
    }
  }
}
