public import Kinship

/// A store for tests that delays, fails or alters calls of another store as a script says, and
/// records all of them.
///
/// ```swift
/// let gate = Gate()
/// let store = ScriptedStore(
///   over: Self.family(), script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
/// let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
///
/// async let person = cache.resolve(Ref<Person>(42))
/// try await store.waitForCalls(1)  // the cache is loading
/// try await cache.put(Person(id: 42, name: "Prince Albert"))
/// gate.open()
/// #expect(try await person.name == "Prince Albert")
/// ```
public final class ScriptedStore: ForwardingStore {
  private struct State: CountedState {
    var script: StoreScript
    var calls: [StoreCall] = []
    var followedPlans = 0
    var inFlight = 0
    var mostInFlight = 0
    /// The number of calls that have come to their pause.
    var count = 0
    var observers: [(count: Int, wait: Wait)] = []
    /// The types of the errors that the script has thrown.
    var failures: Set<ObjectIdentifier> = []
  }

  /// The store that has the records.
  public let base: any BackingStore
  private let followsPlans: Bool
  private let seed: UInt64
  private let state: Lock<State>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - base: The store that has the records.
  ///   - script: The behavior of the store in each call.
  ///   - followsPlans: Whether one call fetches a whole graph. Otherwise the cache fetches one
  ///     generation at a time.
  ///   - seed: The seed of the random numbers that decide what the script leaves open, such as
  ///     which records are left out.
  public init(
    over base: any BackingStore, script: StoreScript = .plain, followsPlans: Bool = false,
    seed: UInt64 = 0
  ) {
    self.base = base
    self.followsPlans = followsPlans
    self.seed = seed
    state = Lock(State(script: script))
  }

  /// All calls so far, in the order in which they began.
  public var calls: [StoreCall] { state.withLock(\.calls) }

  /// The number of calls that have followed a plan.
  public var followedPlans: Int { state.withLock(\.followedPlans) }

  /// The number of calls that have begun and not ended.
  public var inFlight: Int { state.withLock(\.inFlight) }

  /// The largest number of calls that were in flight at once.
  public var mostInFlight: Int { state.withLock(\.mostInFlight) }

  /// The number of calls whose task was cancelled before they ended.
  public var cancellations: Int { calls.count(where: \.isCancelled) }

  /// The number of records that all calls have returned.
  ///
  /// - Complexity: O(*n*) in the calls.
  public var recordsFetched: Int { calls.reduce(0) { $0 + $1.recordsFetched } }

  /// Returns the number of fetches by id that have named a record.
  ///
  /// - Parameter ref: The ref of the record.
  /// - Returns: The number of times that fetches have named it.
  /// - Complexity: O(*n*) in the ids of all calls.
  public func requests<R: GraphRecord>(for ref: Ref<R>) -> Int {
    let ref = AnyRef(ref)
    return calls.reduce(0) { count, call in
      count + (call.kind == .fetch ? call.refs.count { $0 == ref } : 0)
    }
  }

  /// Replaces the script.
  ///
  /// - Parameter script: The behavior of the store in later calls. Their numbers continue.
  public func follow(_ script: StoreScript) { state.withLock { $0.script = script } }

  /// Waits until a number of calls, since the store was created, have come to their pause.
  ///
  /// Calls that read before their pause have read by then: what a test changes afterwards in the
  /// base store is not in their answers.
  ///
  /// - Parameters:
  ///   - count: The number of calls.
  ///   - fileID: The file of the test that waits.
  ///   - line: The line of the test that waits.
  /// - Throws: ``NeverHeld`` after a minute; `CancellationError` if the task is cancelled.
  nonisolated(nonsending) public func waitForCalls(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await state.wait(for: count, at: "\(fileID):\(line)") {
      "\($0) of \(count) calls of the store have come to their pause"
    }
  }

  /// Fetches records by their ids as the script says.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  /// - Returns: The records of the base store, altered by the script.
  /// - Throws: The errors of the script and of the base store; `CancellationError` if the task is
  ///   cancelled while the call waits.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try await fetch(type, ids, following: nil).records
  }

  /// Fetches records, and the records that a plan leads to from them, as the script says.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids.
  ///   - plan: The plan that the graph follows from them.
  /// - Returns: The records of the base store, altered by the script; `nil` if the store does not
  ///   follow plans.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    guard followsPlans else { return nil }
    state.withLock { $0.followedPlans += 1 }
    let answer = try await fetch(type, ids, following: plan)
    var graph = FetchedGraph(answer.records)
    answer.related?.addRelated(to: &graph)
    return graph
  }

  private func fetch<R: GraphRecord>(
    _ type: R.Type, _ ids: [R.ID], following plan: FetchPlan?
  ) async throws -> (records: [R], related: FollowedPlan?) {
    try await run(.fetch, type, ids.map { AnyRef(Ref<R>($0)) }) { behavior, generator in
      var related: FollowedPlan?
      if let plan {
        related = try await base.followed(plan, from: type, ids, omitting: behavior.omitted)
      }
      let ids = ids + unrequested(type, ids, behavior.unrequested, using: &generator)
      return (try await base.fetch(type, ids: ids), related)
    } altering: { answer, behavior, generator in
      let records = try behavior.alter(answer.records, using: &generator)
      return ((records, answer.related), records.count)
    }
  }

  /// Answers a query as the script says.
  ///
  /// - Parameter query: The query.
  /// - Returns: The records of the base store, altered by the script.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try await run(.query, R.self) { behavior, _ in
      guard behavior.unrequested > 0, let limit = query.limit else {
        return try await base.fetch(query)
      }
      return try await base.fetch(query.limited(to: limit + behavior.unrequested))
    } altering: { records, behavior, generator in
      let records = try behavior.alter(
        records, isOrdered: !query.order.isEmpty, using: &generator)
      return (records, records.count)
    }
  }

  /// Answers a query, with the records that a plan leads to, as the script says.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - plan: The plan that graphs follow from its records.
  /// - Returns: The records of the base store, altered by the script; `nil` if the store does not
  ///   follow plans.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func fetch<R: GraphRecord>(
    _ query: RecordQuery<R>, following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    guard followsPlans else { return nil }
    state.withLock { $0.followedPlans += 1 }
    var graph = FetchedGraph(try await fetch(query))
    try await base.followed(plan, from: R.self, graph.records.map { $0.id })
      .addRelated(to: &graph)
    return graph
  }

  /// Finds the refs of a query's records as the script says.
  ///
  /// - Parameter query: The query.
  /// - Returns: The refs that the base store finds, altered by the script.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try await run(.query, R.self) { _, _ in
      try await base.refs(query)
    } altering: { refs, behavior, generator in
      (behavior.distort(refs, isOrdered: !query.order.isEmpty, using: &generator), 0)
    }
  }

  /// Counts the records of a query as the script says.
  ///
  /// - Parameter query: The query.
  /// - Returns: The count of the base store, without the records that the script leaves out.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try await run(.count, R.self) { _, _ in
      try await base.count(query)
    } altering: { count, behavior, _ in
      (max(0, count - behavior.omitted), 0)
    }
  }

  /// Counts the records of a query by the value of a property, when the script says.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - property: The property.
  /// - Returns: The counts of the base store.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func count<R: GraphRecord, Value: Hashable & Sendable>(
    _ query: RecordQuery<R>, groupedBy property: any KeyPath<R, Value> & Sendable
  ) async throws -> [Value: Int] {
    try await run(.count, R.self) { _, _ in try await base.count(query, groupedBy: property) }
  }

  /// Finds referrers as the script says.
  ///
  /// - Parameters:
  ///   - targets: The refs of the targets.
  ///   - relationship: The relationship by which the records refer to them.
  /// - Returns: The records that the base store finds, altered by the script.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    try await run(.referrers, Source.self, targets.map { AnyRef($0) }) { behavior, _ in
      var records = try await base.referrers(to: targets, by: relationship)
      if behavior.unrequested > 0 {
        let found = Set(records.map(\.id))
        let others = try await base.fetch(RecordQuery<Source>())
        records += others.filter { !found.contains($0.id) }.prefix(behavior.unrequested)
      }
      return records
    } altering: { records, behavior, generator in
      let records = try behavior.alter(records, using: &generator)
      return (records, records.count)
    }
  }

  /// Reserves ids in the base store, when the script says.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - count: The number of ids wanted.
  /// - Returns: The ids that the base store has reserved.
  /// - Throws: The errors of ``fetch(_:ids:)``.
  public func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
    try await run(.reserveIDs, type) { _, _ in try await base.reserveIDs(type, count: count) }
  }

  /// Waits and then applies changes in the base store, or fails, as the script says.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: ``LostConnection``, and the errors of each call: those of the script and of the base
  ///   store, and `CancellationError` if the task is cancelled while the call waits.
  public func apply(_ changes: ChangeSet) async throws {
    guard let type = changes.recordTypes.first else { return }
    try await run(.apply, type, changes.refs) { behavior, _ in
      if behavior.losing == .before { throw LostConnection() }
      try await base.apply(changes)
      if behavior.losing == .after { throw LostConnection() }
    } altering: { _, _, _ in
      ((), changes.count)
    }
  }

  /// Returns whether an error means, for certain, that nothing was changed.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: `true` for a failure of the script; `false` for a ``LostConnection``; otherwise the
  ///   base store's answer.
  public func isRefusal(_ error: any Error) -> Bool {
    if error is LostConnection { return false }
    let type = ObjectIdentifier(Swift.type(of: error))
    return state.withLock { $0.failures.contains(type) } || base.isRefusal(error)
  }

  /// Returns whether an error is an outage.
  ///
  /// - Parameter error: The error.
  /// - Returns: `true` for a ``LostConnection``; otherwise the base store's answer.
  public func isOutage(_ error: any Error) -> Bool {
    error is LostConnection || base.isOutage(error)
  }

  /// Runs a call as the script says, and records how it ends.
  ///
  /// The last closure makes the final answer of the base store's, with the number of its records.
  private func run<Answer>(
    _ kind: StoreCall.Kind, _ type: any GraphRecord.Type, _ refs: [AnyRef] = [],
    _ body: (StoreBehavior, inout SplitMix64) async throws -> Answer,
    altering alter: (Answer, StoreBehavior, inout SplitMix64) throws -> (Answer, Int) = {
      answer, _, _ in (answer, 0)
    }
  ) async throws -> Answer {
    let number = begin(kind, type, refs)
    try CalledWithoutEnd.check(number)
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(number), of: seed))
    return try await withTaskCancellationHandler {
      do {
        let (script, call) = state.withLock { ($0.script, $0.calls[number]) }
        let behavior = script.behavior(in: call, using: &generator)
        var answer: Answer?
        do {
          defer { state.change { $0.count += 1 } }
          if kind != .apply, behavior.reading == .beforePause {
            answer = try await body(behavior, &generator)
          }
        }
        try await behavior.pause.wait()
        do {
          try await behavior.action?()
          if let failure = behavior.failure { throw failure }
        } catch {
          _ = state.withLock { $0.failures.insert(ObjectIdentifier(Swift.type(of: error))) }
          throw error
        }
        if answer == nil { answer = try await body(behavior, &generator) }
        guard let answer else { throw CancellationError() }
        let (altered, count) = try alter(answer, behavior, &generator)
        end(number, .answered(count))
        return altered
      } catch {
        end(number, .threw(error))
        throw error
      }
    } onCancel: {
      state.withLock { state in
        if state.calls[number].outcome == nil { state.calls[number].isCancelled = true }
      }
    }
  }

  /// Chooses ids that earlier calls asked for and this one does not.
  private func unrequested<R: GraphRecord>(
    _ type: R.Type, _ ids: [R.ID], _ count: Int, using generator: inout SplitMix64
  ) -> [R.ID] {
    guard count > 0 else { return [] }
    var seen = Set(ids)
    let others = calls.lazy.flatMap(\.refs).compactMap { $0.as(type)?.id }.filter {
      seen.insert($0).inserted
    }
    return Array(others.shuffled(using: &generator).prefix(count))
  }

  private func begin(_ kind: StoreCall.Kind, _ type: any GraphRecord.Type, _ refs: [AnyRef]) -> Int
  {
    state.withLock { state in
      let number = state.calls.count
      state.calls.append(StoreCall(kind: kind, number: number, type: type, refs: refs))
      state.inFlight += 1
      state.mostInFlight = max(state.mostInFlight, state.inFlight)
      return number
    }
  }

  private func end(_ number: Int, _ outcome: StoreCall.Outcome) {
    state.withLock { state in
      state.calls[number].outcome = outcome
      state.inFlight -= 1
    }
  }
}

extension StoreBehavior {
  /// Adds, leaves out, repeats and shuffles records of an answer, and fails for unreadable ones.
  fileprivate func alter<R: GraphRecord>(
    _ records: [R], isOrdered: Bool = false, using generator: inout SplitMix64
  ) throws -> [R] {
    let records =
      distort(records, isOrdered: isOrdered, using: &generator) + added.compactMap { $0 as? R }
    if unreadable.isEmpty { return records }
    let lost = records.filter { unreadable.contains(AnyRef($0.ref)) }
    return try PartialAnswer(
      records.filter { !unreadable.contains(AnyRef($0.ref)) },
      failures: lost.map { .init($0.ref, cause: UnreadableRecord(ref: AnyRef($0.ref))) }
    ).get()
  }

  /// Leaves out, repeats and shuffles elements of an answer; an ordered one is only reversed.
  fileprivate func distort<Element>(
    _ elements: [Element], isOrdered: Bool, using generator: inout SplitMix64
  ) -> [Element] {
    let isShuffled = isShuffled && !isOrdered
    var positions = Array(elements.indices)
    if isShuffled || omitted > 0 || duplicated > 0 {
      positions = Array(positions.shuffled(using: &generator).dropFirst(omitted))
      positions.append(contentsOf: positions.prefix(duplicated))
      if isShuffled { positions.shuffle(using: &generator) } else { positions.sort() }
    }
    if isOrdered, isMisordered { positions.reverse() }
    return positions.map { elements[$0] }
  }
}
