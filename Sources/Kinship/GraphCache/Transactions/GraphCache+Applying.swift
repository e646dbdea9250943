/// Commits that readers see at one moment, while they are applied to memory in chunks.
extension GraphCache {
  /// Applies a transaction's changes to memory.
  ///
  /// Large changes are applied in chunks, so that `peek` never waits for long. Readers see all of
  /// them at one moment, at first in their staged form.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - staging: The same changes, staged.
  ///   - isLate: Whether anything was written since they were staged.
  func applyToMemory(_ changes: ChangeSet, _ staging: Staging, isLate: Bool) {
    // Late changes are merged with the writes made since: their final values are not known before.
    if !isLate, changes.types.contains(where: { $0.stagedCount > Chunk.size }) {
      beginApplying(of: staging)
      inChunks(staging) { [schema] in schema.operations[$0.type].commit($0, $1, &$2) }
    }
    state.withLock { state -> Effects? in
      let isApplied = state.applying != nil
      state.endApplying()
      if !isApplied { state.applyToMemory(changes, staging, schema, isLate: isLate) }
      let outcome = state.finishCommit(of: changes, schema)
      return outcome.map { state.effects(of: $0) }
    }?.perform()
  }

  /// Makes all staged changes visible, until `endApplying`.
  func beginApplying(of staging: Staging) {
    state.withLock { state in
      state.applying = staging
      state.map.clock.beginMoment()
    }
  }

  /// Processes all staged changes with the map, in chunks.
  ///
  /// - Returns: The result for each chunk.
  @discardableResult
  func inChunks<Result: Sendable>(
    _ staging: Staging,
    _ body: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Result
  ) -> [Result] {
    var results: [Result] = []
    staging.forEachChunk { table, range in
      let (result, effects) = state.withLock { state in
        (body(table, range, &state.map), state.effects())
      }
      effects.perform()
      results.append(result)
    }
    return results
  }
}

extension CacheState {
  /// Ends the application of a commit, once the map has everything.
  mutating func endApplying() {
    if applying == nil { return }
    applying = nil
    map.clock.endMoment()
  }

  /// Applies a transaction's changes to memory.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - staging: The same changes, staged.
  ///   - schema: The record types.
  ///   - isLate: Whether anything may have been written since they were staged.
  fileprivate mutating func applyToMemory(
    _ changes: ChangeSet, _ staging: Staging, _ schema: GraphSchema, isLate: Bool
  ) {
    let tables = staging.tables
    for edits in changes.types {
      guard let type = schema.number(of: edits.recordType),
        let table = tables.first(where: { $0.type == type })?.table
      else { continue }
      if isLate {
        table.commitLate(0..<table.count, to: &map)
      } else {
        schema.operations[type].commit(table, 0..<edits.stagedCount, &map)
      }
    }
  }

  /// Publishes a transaction that memory has applied.
  ///
  /// - Returns: The outcome for waiters; `nil` if there are no waiters and nothing else is left to
  ///   do.
  mutating func finishCommit(of changes: ChangeSet, _ schema: GraphSchema) -> Loader.Outcome? {
    map.commits += 1
    if case .done = written { return nil }
    var outcome = Loader.Outcome()
    for ids in changes.ids(in: schema) {
      outcome.add(loader.releaseWaiters(ids, of: ids.type, &map))
      publishChange(.written, of: ids)
    }
    return outcome
  }
}
