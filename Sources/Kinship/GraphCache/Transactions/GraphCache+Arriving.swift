/// A commit that readers see at one moment, and that memory takes over a chunk at a time.
extension GraphCache {
  /// Takes what a transaction has changed over into memory.
  ///
  /// Of much it takes over a chunk at a time, so that `peek` never waits for long. It is all seen
  /// at one moment: at first as it is staged.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - staging: The same, staged.
  ///   - isLate: Whether anything was written since it was staged.
  func takeOver(_ changes: ChangeSet, _ staging: Staging, isLate: Bool) {
    // What is late is brought up to what was written: it is not known before what will be seen.
    if !isLate, changes.types.contains(where: { $0.stagedCount > Chunk.size }) {
      // To add to an index that grows takes several times as long as else.
      arrive(staging, inChunksOf: Chunk.small) { table, range, map in
        self.schema.entries[table.type.index].operations.commit(table, range, &map)
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

  /// Lets all that is staged be seen, and has the map take it over, a chunk at a time.
  func arrive(
    _ staging: Staging, inChunksOf size: Int = Chunk.size,
    _ takeOver: @Sendable (any ErasedStagedTable, Range<Int>, inout IdentityMap) -> Void
  ) {
    beginArrival(of: staging)
    inChunks(staging, of: size, takeOver)
  }

  /// Lets all that is staged be seen, until `endArrival`.
  func beginArrival(of staging: Staging) {
    state.withLock { state in
      state.arriving = staging
      state.map.clock.beginMoment()
    }
  }

  /// Has the map do something with all that is staged, a chunk at a time.
  ///
  /// - Returns: What came of each chunk.
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
  /// Ends what has arrived: the map has it.
  mutating func endArrival() {
    if arriving == nil { return }
    arriving = nil
    map.clock.endMoment()
  }

  /// Takes what a transaction has changed over into memory.
  ///
  /// - Parameters:
  ///   - changes: What has changed.
  ///   - staging: The same, staged.
  ///   - schema: The record types.
  ///   - isLate: Whether anything may have been written since it was staged.
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
        schema.entries[type.index].operations.commit(table, 0..<edits.stagedCount, &map)
      }
    }
  }

  /// Notes that memory has taken a transaction over.
  ///
  /// - Returns: Whom to tell; `nil` if nobody is to be told, and nothing else is left to do.
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
