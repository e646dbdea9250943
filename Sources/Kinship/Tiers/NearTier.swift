/// The near store of a ``TieredStore``: what is kept there, and nobody else's business.
///
/// Whoever changes what is near has it to himself: ``inTurn(_:)``. Readers do not wait for that:
/// what they find out of ``TierState`` and is gone by then, they ask for elsewhere.
final class NearTier: Sendable {
  let store: any BackingStore
  let policy: TierPolicy
  let clock: TierClock
  private let executor: (any TaskExecutor)?
  /// The types that are kept, with those that say what is kept.
  let types: [any GraphRecord.Type]
  let state = Lock(TierState())
  private let turns = Lock<Task<Void, Never>?>(nil)
  private let known: Set<ObjectIdentifier>

  init(
    _ store: any BackingStore, _ schema: GraphSchema, _ policy: TierPolicy, _ clock: TierClock,
    _ executor: (any TaskExecutor)?
  ) {
    self.executor = executor
    (self.store, self.policy, self.clock) = (store, policy, clock)
    types = schema.types
    known = Set(schema.types.map { ObjectIdentifier($0) })
  }

  func keeps(_ type: any GraphRecord.Type) -> Bool { known.contains(ObjectIdentifier(type)) }

  /// Notes that the near store has failed: whoever reads or writes goes on without it.
  func note(_ error: any Error) {
    state.withLock {
      $0.statistics.nearFailures += 1
      $0.statistics.lastNearFailure = error
    }
  }

  // MARK: Turns

  /// Does something with the near store to itself, after all that was asked for before.
  ///
  /// It is done even if the task is cancelled meanwhile.
  func inTurn<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result {
    let task = turns.withLock { [executor] last in
      let task = Task(executorPreference: executor) { [last] in
        await last?.value
        return await body()
      }
      last = Task(executorPreference: executor) { _ = await task.value }
      return task
    }
    return await task.value
  }

  /// Reads what is near, unless it was read; if that fails, the next call tries again.
  func open() async {
    if state.withLock({ $0.isOpen }) { return }
    await inTurn { [self] in
      if state.withLock({ $0.isOpen }) { return }
      do {
        for type in types {
          try await open(type)
          func openAnswers<R: GraphRecord>(_ type: R.Type) async throws {
            try await open(TierAnswer<R>.self)
          }
          try await openAnswers(type)
        }
        state.withLock { $0.isOpen = true }
        await evict()
      } catch {
        note(error)
      }
    }
  }

  private func open<R: GraphRecord>(_ type: R.Type) async throws {
    let entries = try await store.partialAnswer(to: RecordQuery<TierEntry<R>>()).records
    state.withLock { $0.open(type, entries) }
  }

  // MARK: Reading

  /// Finds copies that may be used.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  ///   - isUsable: Whether one may be, at this time.
  /// - Returns: The copies with their ages, in any order, and the ids of which there is none.
  /// - Throws: `CancellationError` if the task is cancelled.
  func copies<R: GraphRecord>(
    of type: R.Type, _ ids: [R.ID], where isUsable: (TierCopy, Int) -> Bool
  ) async throws -> (copies: [(record: R, age: Duration)], others: [R.ID]) {
    let now = clock.now
    let found = state.withLock { state in state.use(type, ids, at: now) { isUsable($0, now) } }
    if found.isEmpty { return ([], ids) }
    let isWhole = found.count == ids.count
    let wanted = isWhole ? ids : found.map { ids[$0.place] }
    let records = try await read(type, wanted)
    // Most often they come in the order in which they were asked for.
    if isWhole, records.count == ids.count, zip(records, ids).allSatisfy({ $0.id == $1 }) {
      return (zip(records, found).map { ($0, $1.copy.age(at: now)) }, [])
    }
    let ages = Dictionary(zip(wanted, found)) { first, _ in first }
    let copies = records.compactMap { record in
      ages[record.id].map { (record, $0.copy.age(at: now)) }
    }
    let had = Set(copies.map { $0.0.id })
    return (copies, ids.filter { !had.contains($0) })
  }

  /// Reads records; those that cannot be read count as if they were not there.
  private func read<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async throws -> [R] {
    do {
      return try await store.fetch(type, ids: ids)
    } catch let partial as PartialAnswer<R> {
      note(partial)
      return partial.records
    } catch {
      try Task.checkCancellation()
      note(error)
      return []
    }
  }
}
