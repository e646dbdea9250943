internal import Kinship

/// The near store of a ``TieredStore``, and the state of its copies.
///
/// Writers take turns: ``inTurn(_:)``. Readers do not wait for them. If ``TierState`` names a copy
/// that is gone by the time of the read, the reader asks the far store.
final class NearTier: Sendable {
  let store: any BackingStore
  let policy: TierPolicy
  private let executor: (any TaskExecutor)?
  private let elapsed: @Sendable () -> Duration
  /// The types of the copies: the record types, and the query results of each.
  let types: [any GraphRecord.Type]
  let state: Lock<TierState>
  private let turns = Lock<Task<Void, Never>?>(nil)
  private let known: Set<ObjectIdentifier>

  init(
    _ store: any BackingStore, _ schema: GraphSchema, _ policy: TierPolicy,
    _ executor: (any TaskExecutor)?, _ elapsed: @escaping @Sendable () -> Duration
  ) {
    (self.store, self.policy, self.executor, self.elapsed) = (store, policy, executor, elapsed)
    types = schema.types.flatMap { $0.keptTypes }
    state = Lock(TierState(types))
    known = Set(schema.types.map { ObjectIdentifier($0) })
  }

  /// The current time in microseconds since 1970.
  var now: Int { elapsed().microseconds }

  func keeps(_ type: any GraphRecord.Type) -> Bool { known.contains(ObjectIdentifier(type)) }

  /// Counts a failure of the near store; the caller goes on without it.
  func countFailure(_ error: any Error) {
    state.withLock {
      $0.statistics.nearFailures += 1
      $0.statistics.lastNearFailure = error
    }
  }

  // MARK: Turns

  /// Runs a closure with exclusive access for writing, after all closures that were queued before.
  ///
  /// It runs even if the task is cancelled meanwhile.
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

  /// Reads the near store unless that has happened; if it fails, the next call tries again.
  func open() async {
    if state.withLock({ $0.isOpen }) { return }
    await inTurn { [self] in
      if state.withLock({ $0.isOpen }) { return }
      do {
        for type in types { try await open(type) }
        state.withLock { $0.isOpen = true }
        await evict()
      } catch {
        countFailure(error)
      }
    }
  }

  private func open<R: GraphRecord>(_ type: R.Type) async throws {
    let entries = try await store.partialAnswer(to: RecordQuery<TierEntry<R>>()).records
    state.withLock { $0.open(type, entries) }
  }

  // MARK: Reading

  /// Reads copies that may be used, and notes their ages for the reader.
  ///
  /// - Returns: The copies, in any order, and the ids without a copy.
  /// - Throws: `CancellationError` if the task is cancelled.
  func copies<R: GraphRecord>(
    of type: R.Type, _ ids: [R.ID], _ use: TierUse, cause: (any Error)? = nil,
    isAnswer: Bool = true
  ) async throws -> (records: [R], others: [R.ID]) {
    var found = state.withLock { $0.use(type, ids, use) }
    if found == nil {
      await open()
      found = state.withLock { $0.use(type, ids, use) }
    }
    guard let found, !found.isEmpty else { return ([], ids) }
    let isWhole = found.count == ids.count
    let wanted = isWhole ? ids : found.map { ids[$0.place] }
    let records: [R]
    do {
      records = try await store.fetch(type, ids: wanted)
    } catch let partial as PartialAnswer<R> {
      countFailure(partial)
      records = partial.records
    } catch {
      try Task.checkCancellation()
      countFailure(error)
      return ([], ids)
    }
    if isAnswer {
      let served = use.isInOutage ? \TierStatistics.servedInOutage : \.servedFresh
      state.withLock { $0.statistics[keyPath: served] += records.count }
    }
    if isAnswer, AnswerAges.current != nil {
      let times = Dictionary(zip(wanted, found)) { first, _ in first }
      AnswerAges.note(
        records.compactMap { record in
          times[record.id].map {
            (record.ref, age: .microseconds((use.now &- $0.asOf).magnitude))
          }
        }, cause: cause)
    }
    if records.count == ids.count { return (records, []) }
    let had = Set(records.map { $0.id })
    return (records, ids.filter { !had.contains($0) })
  }
}
