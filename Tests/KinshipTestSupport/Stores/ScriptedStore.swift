public import Kinship

/// A backing store that follows a script: it waits, fails, hangs, answers out of order or wrongly;
/// and it keeps a log of its calls.
///
/// ```swift
/// let gate = Gate()
/// let store = ScriptedStore(
///   over: memory, script: .plain.onCall(0, StoreBehavior(pause: .gate(gate))))
/// async let person = cache.resolve(ref)
/// try await store.waitForCalls(1)  // it is loading
/// try await cache.put(newer)
/// gate.open()
/// ```
public final class ScriptedStore: BackingStore {
  private struct State {
    var script: StoreScript
    var calls: [StoreCall] = []
    var followedPlans = 0
    var inFlight = 0
    var mostInFlight = 0
    var headcount = Headcount()
  }

  private let base: any BackingStore
  private let followsPlans: Bool
  private let seed: UInt64
  private let state: Lock<State>

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - base: The store that has the records.
  ///   - script: The behaviour in each call.
  ///   - followsPlans: Whether it fetches the records along a plan in the same call.
  ///   - seed: The seed of the script's random choices.
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

  /// The number of calls in which it followed a plan.
  public var followedPlans: Int { state.withLock(\.followedPlans) }

  /// The number of calls in flight.
  public var inFlight: Int { state.withLock(\.inFlight) }

  /// The largest number of calls in flight at once.
  public var mostInFlight: Int { state.withLock(\.mostInFlight) }

  /// The number of calls cancelled before they ended.
  public var cancellations: Int { state.withLock { $0.calls.count(where: \.isCancelled) } }

  /// The number of requests for a record.
  ///
  /// - Parameter ref: The record.
  /// - Returns: The number of times it is named in the log.
  /// - Complexity: O(*n*) over the ids in the log.
  public func requests<R: GraphRecord>(for ref: Ref<R>) -> Int {
    let ref = AnyRef(ref)
    return calls.reduce(0) { count, call in
      count + (call.kind == .fetch ? call.refs.count { $0 == ref } : 0)
    }
  }

  /// Continues with another script.
  ///
  /// - Parameter script: The behaviour in later calls. Their numbers continue.
  public func follow(_ script: StoreScript) {
    state.withLock { $0.script = script }
  }

  /// Waits until at least so many calls have begun since the store was made.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - fileID: The file of the test that waits.
  ///   - line: The line of the test that waits.
  /// - Throws: ``NeverHeld`` if it takes more than a minute; `CancellationError` at once if the
  ///   task is cancelled.
  nonisolated(nonsending) public func waitForCalls(
    _ count: Int, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    let wait = state.withLock { $0.headcount.observer(of: count, current: $0.calls.count) }
    guard let wait else { return }
    do {
      try await wait.untilAwaited(at: "\(fileID):\(line)") {
        "\(calls.count) of \(count) calls of the store have begun"
      }
    } catch {
      state.withLock { $0.headcount.remove(wait) }
      throw error
    }
  }

  /// Fetches records as the script specifies.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids asked for.
  /// - Returns: The records of the base store, as the script distorts them.
  /// - Throws: Any error of the script or the base store, or `CancellationError` if the call was
  ///   cancelled while it waited.
  public func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    let number = begin(.fetch, type, ids.map { AnyRef(Ref<R>($0)) })
    return try await perform(number) { generator in
      let answer = try await answer(to: number, type, ids, using: &generator)
      return (answer, answer.count)
    }
  }

  /// Fetches records, and those along a plan, as the script specifies.
  ///
  /// - Parameters:
  ///   - type: The record type.
  ///   - ids: The ids asked for.
  ///   - plan: The plan to follow from them.
  /// - Returns: The records of the base store, as the script distorts them, with equally many
  ///   records left out of the plan's; `nil` if the store does not follow plans.
  /// - Throws: Any error of fetching by ids.
  public func fetch<R: GraphRecord>(
    _ type: R.Type, ids: [R.ID], following plan: FetchPlan
  ) async throws -> FetchedGraph<R>? {
    guard followsPlans else { return nil }
    let number = begin(.fetch, type, ids.map { AnyRef(Ref<R>($0)) })
    state.withLock { $0.followedPlans += 1 }
    return try await perform(number) { generator in
      let behavior = state.withLock { ($0.script, $0.calls[number]) }
      let omitted = behavior.0.behavior(in: behavior.1, using: &generator).omitted
      // Records that are read before a pause are out of date after it, in all of the answer.
      let before = try await base.followed(plan, from: type, ids, omitting: omitted)
      let answer = try await answer(to: number, type, ids, using: &generator)
      var graph = FetchedGraph(answer)
      before.addRelated(to: &graph)
      return (graph, answer.count)
    }
  }

  /// Commits changes as the script specifies: it waits, and then fails or lets the base store
  /// commit.
  ///
  /// - Parameter changes: The changes.
  /// - Throws: Any error of the script or the base store, or `CancellationError` if the call was
  ///   cancelled while it waited.
  public func apply(_ changes: ChangeSet) async throws {
    guard let type = changes.recordTypes.first else { return }
    let number = begin(.apply, type, changes.refs)
    try await perform(number) { generator in
      let (script, call) = state.withLock { ($0.script, $0.calls[number]) }
      let behavior = script.behavior(in: call, using: &generator)
      try await behavior.pause.wait()
      try await behavior.action?()
      if let failure = behavior.failure { throw failure }
      if behavior.losing == .before { throw LostConnection() }
      try await base.apply(changes)
      if behavior.losing == .after { throw LostConnection() }
      return ((), changes.count)
    }
  }

  /// The error of a call whose connection was lost.
  public struct LostConnection: Error {}

  /// Whether nothing was changed, which the script's lost connections leave open.
  ///
  /// - Parameter error: An error that ``apply(_:)`` has thrown.
  /// - Returns: Whether nothing was changed.
  public func isRefusal(_ error: any Error) -> Bool { !(error is LostConnection) }

  /// Answers a query as the script specifies.
  ///
  /// - Parameter query: The query.
  /// - Returns: The base store's answer. The script can make it wait, fail, leave records out,
  ///   repeat some, exceed the limit, or change the order.
  /// - Throws: Any error of the script or the base store, or `CancellationError` if the call was
  ///   cancelled while it waited.
  public func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    let number = begin(.query, R.self, [])
    return try await read(number, isOrdered: !query.order.isEmpty) { behavior in
      guard behavior.uninvited > 0, let limit = query.limit else {
        return try await base.fetch(query)
      }
      return try await base.fetch(query.limited(to: limit + behavior.uninvited))
    }
  }

  /// Finds referrers as the script specifies.
  ///
  /// - Parameters:
  ///   - targets: The refs that name the targets.
  ///   - relationship: The relationship by which they are referred to.
  /// - Returns: The base store's answer. The script can make it wait, fail, shuffle, leave records
  ///   out, repeat some, or add some that refer to others or do not exist.
  /// - Throws: Any error of the script or the base store, or `CancellationError` if the call was
  ///   cancelled while it waited.
  public func referrers<Source: GraphRecord, Target: GraphRecord>(
    to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
  ) async throws -> [Source] {
    let number = begin(.referrers, Source.self, targets.map { AnyRef($0) })
    return try await read(number) { behavior in
      var records = try await base.referrers(to: targets, by: relationship)
      if behavior.uninvited > 0 {
        let found = Set(records.map(\.id))
        let others = try await base.fetch(RecordQuery<Source>())
        records += others.filter { !found.contains($0.id) }.prefix(behavior.uninvited)
      }
      return records + behavior.invented.compactMap { $0 as? Source }
    }
  }

  /// Reads from the base store as the script specifies, for a call without requested ids.
  private func read<R: GraphRecord>(
    _ number: Int, isOrdered: Bool = false, _ body: (StoreBehavior) async throws -> [R]
  ) async throws -> [R] {
    try await perform(number) { generator in
      let (script, call) = state.withLock { ($0.script, $0.calls[number]) }
      var behavior = script.behavior(in: call, using: &generator)
      if isOrdered { behavior.isShuffled = false }
      var records: [R] = []
      if behavior.reading == .beforePause { records = try await body(behavior) }
      try await behavior.pause.wait()
      try await behavior.action?()
      if let failure = behavior.failure { throw failure }
      if behavior.reading == .afterPause { records = try await body(behavior) }
      records = behavior.distort(records, using: &generator)
      if isOrdered, behavior.isMisordered { records.reverse() }
      return (try behavior.read(records), records.count)
    }
  }

  /// Runs a call and logs how it ends.
  private func perform<Answer>(
    _ number: Int, _ body: (inout SplitMix64) async throws -> (Answer, count: Int)
  ) async throws -> Answer {
    try CalledWithoutEnd.check(number)
    var generator = SplitMix64(seed: SplitMix64.subseed(UInt64(number), of: seed))
    return try await withTaskCancellationHandler {
      do {
        let (answer, count) = try await body(&generator)
        end(number, .answered(count))
        return answer
      } catch {
        end(number, .threw(error))
        throw error
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func answer<R: GraphRecord>(
    to number: Int, _ type: R.Type, _ ids: [R.ID], using generator: inout SplitMix64
  ) async throws -> [R] {
    let (script, call) = state.withLock { ($0.script, $0.calls[number]) }
    let behavior = script.behavior(in: call, using: &generator)
    let asked = ids + uninvited(type, ids, behavior.uninvited, using: &generator)
    var records: [R] = []
    if behavior.reading == .beforePause { records = try await base.fetch(type, ids: asked) }
    try await behavior.pause.wait()
    try await behavior.action?()
    if let failure = behavior.failure { throw failure }
    if behavior.reading == .afterPause { records = try await base.fetch(type, ids: asked) }
    return try behavior.read(behavior.distort(records, using: &generator))
  }

  /// Chooses ids that earlier calls requested and this one does not.
  private func uninvited<R: GraphRecord>(
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
    let (number, observers) = state.withLock { state in
      let number = state.calls.count
      state.calls.append(StoreCall(kind: kind, number: number, type: type, refs: refs))
      state.inFlight += 1
      state.mostInFlight = max(state.mostInFlight, state.inFlight)
      return (number, state.headcount.reached(by: state.calls.count))
    }
    for observer in observers { observer.end() }
    return number
  }

  private func end(_ number: Int, _ outcome: StoreCall.Outcome) {
    state.withLock { state in
      state.calls[number].outcome = outcome
      state.inFlight -= 1
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { state in
      if state.calls[number].outcome == nil { state.calls[number].isCancelled = true }
    }
  }
}

extension StoreBehavior {
  /// Answers with the readable records.
  fileprivate func read<R: GraphRecord>(_ records: [R]) throws -> [R] {
    if unreadable.isEmpty { return records }
    let lost = records.filter { unreadable.contains(AnyRef($0.ref)) }
    return try PartialAnswer(
      records.filter { !unreadable.contains(AnyRef($0.ref)) },
      failures: lost.map { .init($0.ref, cause: UnreadableRecord(ref: AnyRef($0.ref))) }
    ).get()
  }

  /// Leaves out, repeats and shuffles records of an answer.
  fileprivate func distort<R>(_ records: [R], using generator: inout SplitMix64) -> [R] {
    guard isShuffled || omitted > 0 || duplicated > 0 else { return records }
    var positions = Array(records.indices.shuffled(using: &generator).dropFirst(omitted))
    positions.append(contentsOf: positions.prefix(duplicated))
    if isShuffled { positions.shuffle(using: &generator) } else { positions.sort() }
    return positions.map { records[$0] }
  }
}

/// The error of a store that is called over and over, by a caller that will never stop.
public struct CalledWithoutEnd: Error, CustomStringConvertible {
  /// The number of calls.
  public let count: Int
  /// The number of calls of the store.
  public var description: String { "the store was called \(count) times, without an end" }

  /// Throws if a store has been called so often that it would never end.
  ///
  /// - Parameters:
  ///   - count: How often.
  ///   - limit: How many calls are too many.
  /// - Throws: The error.
  public static func check(_ count: Int, limit: Int = 20_000) throws(CalledWithoutEnd) {
    if count >= limit { throw CalledWithoutEnd(count: count) }
  }
}
