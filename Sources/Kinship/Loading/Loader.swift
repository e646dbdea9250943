/// Decides which requests to send to the backing store, and which waiters they serve:
/// single-flight, in batches, within limits.
///
/// It uses no task and no continuation. Waiters and batches are numbers; each call returns the next
/// steps, and the cache around it executes them.
///
/// An id is requested at most once at a time. It is first in the backlog of its type, then in a
/// batch, and leaves when its record arrives, when a write sets it, or when nobody waits for it. A
/// requested id is in memory only if its record there is too old for its waiters.
struct Loader {
  typealias WaiterID = WaiterList.ID
  typealias BatchID = UInt64

  /// One call to the store.
  struct Batch: Sendable {
    let id: BatchID
    let ids: IDs
    /// The plan that a graph follows from the records.
    var plan: FetchPlan?
    /// Whether its answer brought related records of the plan.
    var hasRelatedRecords = false
    /// The maximum age of the answer.
    var ages = AnswerAges.Limits()
  }

  /// The steps to execute after a call.
  struct Outcome: Sendable {
    /// Waiters that have everything they requested.
    var ready: [WaiterID] = []
    /// Waiters that cannot get what they requested.
    var failed: [(waiter: WaiterID, error: any Error)] = []
    /// Batches that nobody waits for any longer.
    var abandoned: [BatchID] = []
    /// The failures of waiters that accept partial results and are ready.
    var toleratedFailures: [(waiter: WaiterID, failures: [LoadFailure])] = []
    /// Records that arrived too late to be kept, in memory until `dropOutdated`: they are only for
    /// those who waited for them.
    var outdated: [(place: ClaimTable.Place, waiters: WaiterList)] = []
    /// The ids whose knowledge has changed.
    var changed: IDs?

    var isEmpty: Bool { ready.isEmpty && failed.isEmpty && abandoned.isEmpty }

    mutating func add(_ other: Outcome) {
      ready += other.ready
      toleratedFailures += other.toleratedFailures
      failed += other.failed
      abandoned += other.abandoned
    }
  }

  private struct Waiter {
    /// The number of ids that it still waits for.
    var remaining = 0
    var claims: [Claims] = []
    /// The failures of a waiter that accepts partial results; `nil` for one that fails.
    var failures: [LoadFailure]?
  }

  private struct Flight {
    let type: TypeNumber
    var places: ContiguousArray<ClaimTable.Place> = []
    /// The number of its ids that have waiters.
    var wanted = 0
    /// The maximum age of the answer.
    var ages = AnswerAges.Limits()
    var isAbandoned = false
  }

  let limits: FetchLimits
  private var queues: [LoadQueue]
  /// The types of which some ids are blocked.
  private var blockedTypes: [TypeNumber] = []
  private var waiters = Numbered<Waiter>()
  /// The claims of waiters that have left, which are removed a chunk at a time.
  private var leaving: [(waiter: WaiterID, claims: Claims)] = []
  private var flights: [BatchID: Flight] = [:]
  private var lastWaiter: WaiterID = 0
  private var lastBatch: BatchID = 0
  /// The type whose turn it is: every type gets its batches.
  private var turn = 0
  var tally = LoadTally()

  init(schema: GraphSchema, limits: FetchLimits) {
    self.limits = limits
    queues = zip(schema.types.typeNumbers, schema.types).map { LoadQueue(of: $1, type: $0) }
  }

  /// Whether there are no waiters and nothing is in flight: then no id is requested either.
  var isIdle: Bool { waiters.isEmpty && flights.isEmpty && leaving.isEmpty }
  var waiterCount: Int { waiters.count }
  var flightCount: Int { flights.count }
  /// The number of ids that are requested and not yet in a batch.
  var backlogCount: Int { queues.reduce(0) { $0 + $1.backlogCount } }

  /// The number of allocated entries for requested ids.
  var requestEntryCount: Int { queues.reduce(0) { $0 + $1.entryCount } }

  mutating func nextWaiter() -> WaiterID {
    lastWaiter += 1
    return lastWaiter
  }

  // MARK: Waiting

  /// Makes a waiter wait for claimed ids that are neither in memory nor known missing.
  ///
  /// The claims must not end before the waiter is ready, has failed or has left. A waiter that
  /// accepts failures gets a partial result, with the failures. It may request more before it
  /// waits.
  ///
  /// - Returns: Whether there is anything to wait for, of these claims or of those before.
  mutating func request(
    _ claims: [Claims], for waiter: WaiterID, toleratesFailures: Bool = false,
    within demand: AgeDemand? = nil, _ map: inout IdentityMap
  ) -> Bool {
    var remaining = 0
    for claim in claims {
      let joined = queues[claim.type].request(
        claim.places, for: waiter, demand?.bounds(of: claim.type), &map)
      remaining += joined.count
      tally.coalescedWaits += joined.coalesced
      for (batch, count) in joined.wantedAgain { flights[batch]?.wanted += count }
    }
    if remaining == 0 { return waiters[waiter] != nil }
    // Only one reference may be left, or its claims would be copied.
    var request =
      waiters.removeValue(forKey: waiter) ?? Waiter(failures: toleratesFailures ? [] : nil)
    request.remaining += remaining
    request.claims += claims
    waiters[waiter] = request
    return true
  }

  /// Removes a waiter that was cancelled or has failed; if it requested much, the rest is left to
  /// `continueLeaving`.
  ///
  /// - Returns: Whether it was waiting, and the batches that nobody waits for any longer.
  mutating func leave(
    _ waiter: WaiterID, _ map: inout IdentityMap
  ) -> (wasWaiting: Bool, abandoned: [BatchID]) {
    guard let left = waiters.removeValue(forKey: waiter) else { return (false, []) }
    if left.claims.reduce(0, { $0 + $1.count }) > Chunk.size {
      leaving += left.claims.map { (waiter, $0) }
      return (true, [])
    }
    return (true, left.claims.flatMap { leave($0, waiter, &map) })
  }

  /// Removes one of the waiters that have left from a chunk of its claims; returns the steps to
  /// execute, or `nil` if there is no such waiter.
  mutating func continueLeaving(_ map: inout IdentityMap) -> Outcome? {
    leaving.popLast().map { Outcome(abandoned: leave($0.claims, $0.waiter, &map)) }
  }

  private mutating func leave(
    _ claims: Claims, _ waiter: WaiterID, _ map: inout IdentityMap
  ) -> [BatchID] {
    let batches = queues[claims.type].leave(claims.places, waiter, &map)
    return removeWaits(batches, &map).abandoned
  }

  // MARK: Writes

  /// Releases the waiters of ids that a write has set, and marks loads of them as stale.
  mutating func releaseWaiters(
    _ ids: @autoclosure () -> IDs, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    guard queues[type].requestCount > 0 else { return Outcome() }
    return end(queues[type].removeRequests(ids(), &map), &map)
  }

  /// Releases the waiters of records that were loaded by another call.
  mutating func releaseWaitersOfLoaded(
    _ ids: @autoclosure () -> IDs, count: Int, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    if queues[type].entryCount < count, let arrived = queues[type].takeArrived(&map) {
      return end(arrived, &map)
    }
    return releaseWaiters(ids(), of: type, &map)
  }

  /// Returns the steps to execute once some ids need not be loaded any longer.
  private mutating func end(_ entries: [LoadEntry], _ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for entry in entries {
      if let batch = entry.batch, !entry.waiters.isEmpty {
        removeWaits(batch, &outcome.abandoned, &map)
      }
      for waiter in entry.waiters.inOrder { release(waiter, 1, &outcome) }
    }
    return outcome
  }

  /// Blocks loads of ids that the store is about to change: until they are released, they are not
  /// requested, because an answer could be from before or after the change.
  mutating func blockLoads(_ ids: IDs, _ map: inout IdentityMap) -> Outcome {
    if map.blockFewLoads(ids) { return Outcome() }
    if !blockedTypes.contains(ids.type) { blockedTypes.append(ids.type) }
    return removeWaits(queues[ids.type].blockLoads(ids, &map), &map)
  }

  /// Allows all loads again, except for claimed ids: see `unblockLoads`.
  ///
  /// - Returns: Closures that return the ids of each type that were blocked, in chunks; they take
  ///   no lock.
  mutating func unblockAllLoads(_ map: inout IdentityMap) -> [@Sendable () -> [IDs]] {
    for ids in map.blockedFew where !map.claims[ids.type].pointee.isEmpty {
      if !blockedTypes.contains(ids.type) { blockedTypes.append(ids.type) }
    }
    defer {
      blockedTypes = []
      map.blockedFew.removeAll(keepingCapacity: true)
    }
    return blockedTypes.map { queues[$0].takeBlocked(&map) }
  }

  /// Allows requests for ids that were blocked.
  mutating func unblockLoads(_ ids: IDs, _ map: inout IdentityMap) {
    queues[ids.type].unblockLoads(ids, &map)
  }

  /// Notes that ids may have changed: loads of them are stale, and are requested again.
  ///
  /// It does not restart for ever: see `LoadQueue.putBack`.
  mutating func restart(
    _ ids: @autoclosure () -> IDs, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    guard queues[type].requestCount > 0 else { return Outcome() }
    return removeWaits(queues[type].putBack(ids(), &map), &map)
  }

  /// Notes that everything may have changed.
  mutating func restartAll(_ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for number in queues.indices { outcome.add(restartAll(of: TypeNumber(number), &map)) }
    return outcome
  }

  /// Notes that all records of a type may have changed.
  mutating func restartAll(of type: TypeNumber, _ map: inout IdentityMap) -> Outcome {
    removeWaits(queues[type].putAllBack(&map), &map)
  }

  // MARK: Batches

  /// Creates a batch from a chunk of the backlog, if the limits allow another.
  mutating func nextBatch(_ map: borrowing IdentityMap, limit: Int = .max) -> Batch? {
    guard flights.count < limits.concurrentBatches else { return nil }
    for offset in queues.indices {
      let type = TypeNumber((turn + offset) % queues.count)
      if queues[type].backlogCount == 0 { continue }
      lastBatch += 1
      turn = type.index + 1
      var flight = Flight(type: type)
      // Growing later would move all entries.
      flight.places.reserveCapacity(min(limits.batchSize, queues[type].backlogCount))
      flights[lastBatch] = flight
      tally.batches += 1
      return Batch(id: lastBatch, ids: extend(lastBatch, of: type, map, limit: limit))
    }
    return nil
  }

  /// Moves another chunk of the backlog into a batch that has not been sent to the store yet.
  ///
  /// - Returns: Its ids; none if the backlog is empty, the batch is full, or nobody waits for it
  ///   any longer.
  mutating func extend(
    _ batch: BatchID, of type: TypeNumber, _ map: borrowing IdentityMap, limit: Int
  ) -> IDs {
    var places: ContiguousArray<ClaimTable.Place> = []
    if let index = flights.index(forKey: batch), !flights.values[index].isAbandoned {
      let room = limits.batchSize - flights.values[index].places.count
      places = queues[type].takeBatch(
        batch, limit: min(limit, room), &flights.values[index].ages, map)
      flights.values[index].places += places
      flights.values[index].wanted += places.count
    }
    return map.ids(of: Claims(type: type, places: places))
  }

  /// Returns the maximum age of the answer to a batch.
  func ages(of batch: BatchID) -> AnswerAges.Limits { flights[batch]?.ages ?? AnswerAges.Limits() }

  /// Returns whether nobody waits for a batch any longer.
  func isAbandoned(_ batch: BatchID) -> Bool { flights[batch]?.isAbandoned ?? true }

  /// Stores a chunk of the store's answer; the rest is left to `complete`.
  mutating func merge(
    _ answer: inout BatchAnswer, to batch: BatchID, limit: Int, _ map: inout IdentityMap
  ) -> Outcome {
    let range = answer.next(limit)
    guard let flight = flights[batch], !flight.isAbandoned else { return Outcome() }
    return accept(range, of: answer, to: batch, flight, &map)
  }

  /// Stores the answer of the store, or the rest of it, and ends the batch.
  mutating func complete(
    _ batch: BatchID, with answer: BatchAnswer, _ map: inout IdentityMap
  ) -> Outcome {
    guard let flight = flights.removeValue(forKey: batch), !flight.isAbandoned else {
      return Outcome()
    }
    var answer = answer
    if answer.hasFailures { tally.failedBatches += 1 }
    return accept(answer.next(.max), of: answer, to: batch, flight, &map)
  }

  private mutating func accept(
    _ range: Range<Int>, of answer: BatchAnswer, to batch: BatchID, _ flight: Flight,
    _ map: inout IdentityMap
  ) -> Outcome {
    var outcome = Outcome()
    let answer = queues[flight.type].accept(range, of: answer, to: batch, flight.places, &map)
    tally.loaded += answer.loaded
    tally.missing += answer.missing
    for (waiter, count) in answer.waits { release(waiter, count, &outcome) }
    for (failure, waiters) in answer.failures {
      for waiter in waiters.inOrder { fail(waiter, failure, &outcome, &map) }
    }
    outcome.outdated = answer.outdated
    outcome.changed = answer.changed
    return outcome
  }

  /// Drops records that were too old to be kept, in the same hold of the lock in which they
  /// arrived.
  mutating func dropOutdated(
    _ outdated: [(place: ClaimTable.Place, waiters: WaiterList)], of type: TypeNumber,
    _ map: inout IdentityMap
  ) {
    queues[type].dropOutdated(ContiguousArray(outdated.map(\.place)), &map)
  }

  /// Fails a waiter, unless it accepts a partial result without an id.
  private mutating func fail(
    _ waiter: WaiterID, _ failure: LoadFailure, _ outcome: inout Outcome,
    _ map: inout IdentityMap
  ) {
    if waiters[waiter]?.failures != nil {
      waiters[waiter]?.failures?.append(failure)
      return release(waiter, 1, &outcome)
    }
    let (wasWaiting, abandoned) = leave(waiter, &map)
    if wasWaiting { outcome.failed.append((waiter, failure.error)) }
    outcome.abandoned += abandoned
  }

  // MARK: Waiters

  /// The obstacles of a waiter.
  struct Obstacles {
    var batches: Set<BatchID> = []
    /// Whether the store is about to change something that it waits for.
    var isHeld = false
    /// Whether one of its ids is in no batch yet, and may be.
    var isQueued = false
  }

  /// Returns the current obstacles of a waiter.
  ///
  /// - Complexity: O(*n*) in the ids that it requested.
  func obstacles(of waiter: WaiterID, _ map: borrowing IdentityMap) -> Obstacles {
    var obstacles = Obstacles()
    for claim in waiters[waiter]?.claims ?? [] {
      queues[claim.type].addObstacles(to: claim.places, of: waiter, &obstacles, map)
    }
    return obstacles
  }

  /// The batches that keep others from being created; `nil` if another may be created.
  var occupants: [BatchID]? {
    flights.count < limits.concurrentBatches ? nil : Array(flights.keys)
  }

  /// The batches that ids are in.
  func batches(of ids: IDs, _ map: borrowing IdentityMap) -> Set<BatchID> {
    if queues[ids.type].requestCount == 0 { return [] }
    return queues[ids.type].batches(of: ids, map)
  }

  // MARK: Parts

  /// Removes a waiting id from each of some batches.
  private mutating func removeWaits(_ batches: [BatchID], _ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for batch in batches { removeWaits(batch, &outcome.abandoned, &map) }
    return outcome
  }

  /// Removes a waiting id from a batch; without any, the batch is abandoned.
  private mutating func removeWaits(
    _ batch: BatchID, _ abandoned: inout [BatchID], _ map: inout IdentityMap
  ) {
    guard var flight = flights[batch], !flight.isAbandoned else { return }
    flight.wanted -= 1
    if flight.wanted == 0 {
      flight.isAbandoned = true
      tally.abandonedBatches += 1
      abandoned.append(batch)
      queues[flight.type].drop(flight.places, of: batch, &map)
    }
    flights[batch] = flight
  }

  /// Notes that a waiter waits for so many ids less.
  private mutating func release(_ waiter: WaiterID, _ count: Int, _ outcome: inout Outcome) {
    // A waiter that has left would be added again.
    if waiters[waiter] == nil { return }
    waiters[waiter]?.remaining -= count
    if waiters[waiter]?.remaining == 0 {
      let failures = waiters.removeValue(forKey: waiter)?.failures ?? []
      if !failures.isEmpty { outcome.toleratedFailures.append((waiter, failures)) }
      outcome.ready.append(waiter)
    }
  }

  /// Returns the inconsistencies, in words; at rest there must be neither waiter nor request nor
  /// batch.
  func audit(_ map: borrowing IdentityMap) -> [String] {
    var failures = queues.flatMap { $0.audit(map) }
    let wanted = queues.reduce(0) { $0 + $1.waitCount }
    let remaining = waiters.values.reduce(0) { $0 + $1.remaining }
    if isIdle, queues.contains(where: { $0.requestCount > 0 }) {
      failures.append("ids are asked for by nobody")
    }
    if wanted != remaining, leaving.isEmpty {
      failures.append("\(remaining) waits, \(wanted) in the queues")
    }
    return failures
  }
}
