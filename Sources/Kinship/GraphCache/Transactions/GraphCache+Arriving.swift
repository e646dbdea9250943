/// Commits that readers see at one moment, while memory takes them over in chunks.
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
  func takeOver(_ changes: ChangeSet, _ staging: Staging, isLate: Bool) {
    // Late changes are merged with the writes made since: their final values are not known before.
    if !isLate, changes.types.contains(where: { $0.stagedCount > Chunk.size }) {
      // Inserting into a growing index takes several times as long as other changes.
      arrive(staging, inChunksOf: Chunk.small) { table, range, map in
        self.schema.operations[table.type].commit(table, range, &map)
      }
    }
    state.withLock { state -> Effects? in
      let isTakenOver = state.arriving != nil
      state.endArrival()
      if !isTakenOver { state.takeOver(changes, staging, schema, isLate: isLate) }
      let outcome = state.noteCommit(of: changes, schema)
      return outcome.map { state.effects(of: $0) }
    }?.perform()
  }

  /// Makes all staged changes visible, and applies them to the map in chunks.
  func arrive(
    _ staging: Staging, inChunksOf size: Int = Chunk.size,
    _ takeOver: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Void
  ) {
    beginArrival(of: staging)
    inChunks(staging, of: size, takeOver)
  }

  /// Makes all staged changes visible, until `endArrival`.
  func beginArrival(of staging: Staging) {
    state.withLock { state in
      state.arriving = staging
      state.map.clock.beginMoment()
    }
  }

  /// Processes all staged changes with the map, in chunks.
  ///
  /// - Returns: The result for each chunk.
  @discardableResult
  func inChunks<Result: Sendable>(
    _ staging: Staging, of size: Int = Chunk.small,
    _ body: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Result
  ) -> [Result] {
    var results: [Result] = []
    staging.forEachChunk(of: size) { table, range in
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
  /// Ends an arrival, once the map has everything.
  mutating func endArrival() {
    if arriving == nil { return }
    arriving = nil
    map.clock.endMoment()
  }

  /// Applies a transaction's changes to memory.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - staging: The same changes, staged.
  ///   - schema: The record types.
  ///   - isLate: Whether anything may have been written since they were staged.
  fileprivate mutating func takeOver(
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

  /// Notes that memory has applied a transaction.
  ///
  /// - Returns: The outcome for waiters; `nil` if there are no waiters and nothing else is left to
  ///   do.
  mutating func noteCommit(of changes: ChangeSet, _ schema: GraphSchema) -> Loader.Outcome? {
    map.commits += 1
    if case .done = written { return nil }
    var outcome = Loader.Outcome()
    for ids in changes.ids(in: schema) {
      outcome.add(loader.noteKnown(ids, of: ids.type, &map))
      noteChange(.written, of: ids)
    }
    return outcome
  }
}
