/// Decides what is asked of the backing store, and who waits for it: single-flight, in batches,
/// within limits.
///
/// It knows no task and no continuation. Waiters and batches are numbers; each call returns what
/// must happen next, and the cache around it makes that happen.
///
/// An id is asked for at most once at a time. It is first in the backlog of its type, then in a
/// batch, and leaves when its record has come, when a write says what it is, or when nobody waits
/// for it. An id that is asked for is in memory only where that is too old for who asks.
struct Loader {
  typealias WaiterID = WaiterList.ID
  typealias BatchID = UInt64

  /// One call to the store.
  struct Batch: Sendable {
    let id: BatchID
    let ids: IDs
    /// What a graph leads to from the records.
    var plan: FetchPlan?
    /// Whether records that the plan leads to have come along with its answer.
    var hasCompany = false
    /// How old the answer may be.
    var ages = AnswerAges.Limits()
  }

  /// What must happen after a call.
  struct Outcome: Sendable {
    /// Waiters that have all they asked for.
    var ready: [WaiterID] = []
    /// Waiters that cannot get what they asked for.
    var failed: [(waiter: WaiterID, error: any Error)] = []
    /// Batches that nobody waits for any longer.
    var abandoned: [BatchID] = []
    /// What could not be loaded for waiters that go on without it, and are ready.
    var borne: [(waiter: WaiterID, failures: [LoadFailure])] = []
    /// What came too late to be kept, in memory until `forget`: it is for those alone who waited
    /// for it.
    var outdated: [(place: ClaimTable.Place, waiters: WaiterList)] = []
    /// The ids of which something else is known than before.
    var changed: IDs?

    var isEmpty: Bool { ready.isEmpty && failed.isEmpty && abandoned.isEmpty }

    mutating func add(_ other: Outcome) {
      ready += other.ready
      borne += other.borne
      failed += other.failed
      abandoned += other.abandoned
    }
  }

  private struct Waiter {
    /// How many ids it still waits for.
    var remaining = 0
    var claims: [Claims] = []
    /// What could not be loaded, of a waiter that goes on without it; `nil` for one that fails.
    var failures: [LoadFailure]?
  }

  private struct Flight {
    let type: TypeNumber
    var places: ContiguousArray<ClaimTable.Place> = []
    /// How many of its ids somebody waits for.
    var wanted = 0
    /// How old the answer may be.
    var ages = AnswerAges.Limits()
    var isAbandoned = false
  }

  let limits: FetchLimits
  private var queues: [LoadQueue]
  /// The types of which ids may not be asked for.
  private var barredTypes: [TypeNumber] = []
  private var waiters = Numbered<Waiter>()
  /// What those have asked for who have left, and were not taken from yet: a chunk each.
  private var leaving: [(waiter: WaiterID, claims: Claims)] = []
  private var flights: [BatchID: Flight] = [:]
  private var lastWaiter: WaiterID = 0
  private var lastBatch: BatchID = 0
  /// The type whose turn it is: every type gets its batches.
  private var turn = 0
  private(set) var tally = LoadTally()

  init(schema: GraphSchema, limits: FetchLimits) {
    self.limits = limits
    queues = zip(schema.types.typeNumbers, schema.types).map { LoadQueue(of: $1, type: $0) }
  }

  /// Whether nobody waits and nothing is under way: then no id is asked for either.
  var isIdle: Bool { waiters.isEmpty && flights.isEmpty && leaving.isEmpty }
  var waiterCount: Int { waiters.count }
  var flightCount: Int { flights.count }
  /// How many ids are asked for and not yet in a batch.
  var backlogCount: Int { queues.reduce(0) { $0 + $1.backlogCount } }

  /// How many ids there is memory for that are asked for.
  var requestEntryCount: Int { queues.reduce(0) { $0 + $1.entryCount } }

  mutating func noteQuery() { tally.queries += 1 }

  /// Counts what of a query's answer came into memory.
  mutating func noteLoaded(_ count: Int) { tally.loaded += count }

  mutating func nextWaiter() -> WaiterID {
    lastWaiter += 1
    return lastWaiter
  }

  // MARK: Waiting

  /// Makes a waiter wait for what it has claimed and what is neither in memory nor known missing.
  ///
  /// The claims must not end before the waiter is ready, has failed or has left. One that bears
  /// failures goes on without what cannot be loaded, and is told. It may ask for more before it
  /// waits.
  ///
  /// - Returns: Whether there is anything to wait for, of these claims or of those before.
  mutating func request(
    _ claims: [Claims], for waiter: WaiterID, bearsFailures: Bool = false,
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
    // Only one reference may be left, or what it waits for would be copied.
    var request = waiters.removeValue(forKey: waiter) ?? Waiter(failures: bearsFailures ? [] : nil)
    request.remaining += remaining
    request.claims += claims
    waiters[waiter] = request
    return true
  }

  /// Takes a waiter out, who was cancelled or has failed; of one who asked for much, the rest is
  /// left to `goOnLeaving`.
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

  /// Takes one of those who have left from a chunk of what it asked for.
  ///
  /// - Returns: What must happen; nothing if there is none.
  mutating func goOnLeaving(_ map: inout IdentityMap) -> Outcome? {
    leaving.popLast().map { Outcome(abandoned: leave($0.claims, $0.waiter, &map)) }
  }

  private mutating func leave(
    _ claims: Claims, _ waiter: WaiterID, _ map: inout IdentityMap
  ) -> [BatchID] {
    var abandoned: [BatchID] = []
    for batch in queues[claims.type].leave(claims.places, waiter, &map) {
      unwant(batch, &abandoned, &map)
    }
    return abandoned
  }

  // MARK: Writes

  /// A write has said what ids are: whoever waits for them need not wait longer, and what a
  /// load brings is too old.
  mutating func noteKnown(
    _ ids: @autoclosure () -> IDs, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    guard queues[type].requestCount > 0 else { return Outcome() }
    return end(queues[type].take(ids(), &map), &map)
  }

  /// Records have come into memory that nobody, or somebody else, has asked for: whoever waits for
  /// one of them need not wait longer.
  mutating func noteLoaded(
    _ ids: @autoclosure () -> IDs, count: Int, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    if queues[type].entryCount < count, let arrived = queues[type].takeArrived(&map) {
      return end(arrived, &map)
    }
    return noteKnown(ids(), of: type, &map)
  }

  /// What must happen after some ids need not be loaded any longer.
  private mutating func end(_ entries: [LoadEntry], _ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for entry in entries {
      if let batch = entry.batch, !entry.waiters.isEmpty {
        unwant(batch, &outcome.abandoned, &map)
      }
      for waiter in entry.waiters.inOrder { release(waiter, 1, &outcome) }
    }
    return outcome
  }

  /// The store is about to change ids: until they are released, nobody asks it for them,
  /// for nobody could tell whether its answer is from before or after.
  mutating func bar(_ ids: IDs, _ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    if map.barFew(ids) { return outcome }
    if !barredTypes.contains(ids.type) { barredTypes.append(ids.type) }
    for batch in queues[ids.type].bar(ids, &map) { unwant(batch, &outcome.abandoned, &map) }
    return outcome
  }

  /// Nothing is barred any longer, but for what is claimed already: see `unbar`.
  ///
  /// - Returns: Makes the ids of each type that were barred, in chunks; it takes no lock.
  mutating func endBars(_ map: inout IdentityMap) -> [@Sendable () -> [IDs]] {
    for ids in map.barredFew where !map.claims[ids.type].pointee.isEmpty {
      if !barredTypes.contains(ids.type) { barredTypes.append(ids.type) }
    }
    defer {
      barredTypes = []
      map.barredFew.removeAll(keepingCapacity: true)
    }
    return barredTypes.map { queues[$0].takeBarred(&map) }
  }

  /// What was barred may be asked for again.
  mutating func unbar(_ ids: IDs, _ map: inout IdentityMap) { queues[ids.type].unbar(ids, &map) }

  /// What ids are may have changed: what is being loaded is too old and is asked for again.
  ///
  /// Not for ever: see `LoadQueue.putBack`.
  mutating func restart(
    _ ids: @autoclosure () -> IDs, of type: TypeNumber, _ map: inout IdentityMap
  ) -> Outcome {
    var outcome = Outcome()
    guard queues[type].requestCount > 0 else { return outcome }
    for batch in queues[type].putBack(ids(), &map) { unwant(batch, &outcome.abandoned, &map) }
    return outcome
  }

  /// Everything may have changed.
  mutating func restartAll(_ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for number in queues.indices { outcome.add(restartAll(of: TypeNumber(number), &map)) }
    return outcome
  }

  /// All records of a type may have changed.
  mutating func restartAll(of type: TypeNumber, _ map: inout IdentityMap) -> Outcome {
    var outcome = Outcome()
    for batch in queues[type].putAllBack(&map) { unwant(batch, &outcome.abandoned, &map) }
    return outcome
  }

  // MARK: Batches

  /// Makes a batch of a chunk of the backlog, if the limits allow another.
  mutating func nextBatch(_ map: borrowing IdentityMap, limit: Int = .max) -> Batch? {
    guard flights.count < limits.concurrentBatches else { return nil }
    for offset in queues.indices {
      let type = TypeNumber((turn + offset) % queues.count)
      if queues[type].backlogCount == 0 { continue }
      lastBatch += 1
      turn = type.index + 1
      var flight = Flight(type: type)
      // To grow later would move all that is there.
      flight.places.reserveCapacity(min(limits.batchSize, queues[type].backlogCount))
      flights[lastBatch] = flight
      tally.batches += 1
      return Batch(id: lastBatch, ids: extend(lastBatch, of: type, map, limit: limit))
    }
    return nil
  }

  /// Moves another chunk of the backlog into a batch that has not been asked of the store yet.
  ///
  /// - Returns: Its ids; none if the batch has as many as there are, or may be, or if nobody waits
  ///   for it any longer.
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

  /// How old the answer to a batch may be.
  func ages(of batch: BatchID) -> AnswerAges.Limits { flights[batch]?.ages ?? AnswerAges.Limits() }

  /// Whether nobody waits for a batch any longer.
  func isAbandoned(_ batch: BatchID) -> Bool { flights[batch]?.isAbandoned ?? true }

  /// Takes in a chunk of what the store has answered; the rest is left to `complete`.
  mutating func takeIn(
    _ answer: inout BatchAnswer, to batch: BatchID, limit: Int, _ map: inout IdentityMap
  ) -> Outcome {
    let range = answer.next(limit)
    guard let flight = flights[batch], !flight.isAbandoned else { return Outcome() }
    return accept(range, of: answer, to: batch, flight, &map)
  }

  /// Takes in what the store has answered, or the rest of it, and ends the batch.
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

  /// Forgets what was too old to be kept, in the same hold of the lock in which it came.
  mutating func forget(
    _ outdated: [(place: ClaimTable.Place, waiters: WaiterList)], of type: TypeNumber,
    _ map: inout IdentityMap
  ) {
    queues[type].forget(ContiguousArray(outdated.map(\.place)), &map)
  }

  /// A waiter fails, unless it goes on without an id.
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

  // MARK: Who waits for what

  /// What keeps a waiter waiting.
  struct Obstacles {
    var batches: Set<BatchID> = []
    /// Whether the store is about to change something that it waits for.
    var isHeld = false
    /// Whether something has no place in a batch yet, and may have one.
    var isQueued = false
  }

  /// What keeps a waiter waiting at this moment.
  ///
  /// - Complexity: O(*n*) in the ids that it asked for.
  func obstacles(of waiter: WaiterID, _ map: borrowing IdentityMap) -> Obstacles {
    var obstacles = Obstacles()
    for claim in waiters[waiter]?.claims ?? [] {
      queues[claim.type].addObstacles(to: claim.places, of: waiter, &obstacles, map)
    }
    return obstacles
  }

  /// The batches that keep others from being made: nothing if another may be made.
  var occupants: [BatchID]? {
    flights.count < limits.concurrentBatches ? nil : Array(flights.keys)
  }

  /// The batches that ids are in.
  func batches(of ids: IDs, _ map: borrowing IdentityMap) -> Set<BatchID> {
    if queues[ids.type].requestCount == 0 { return [] }
    return queues[ids.type].batches(of: ids, map)
  }

  // MARK: Parts

  /// One id less that somebody waits for in a batch; the last one abandons it.
  private mutating func unwant(
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

  /// So many ids less for a waiter to wait for.
  private mutating func release(_ waiter: WaiterID, _ count: Int, _ outcome: inout Outcome) {
    // One that has left would be given a place again.
    if waiters[waiter] == nil { return }
    waiters[waiter]?.remaining -= count
    if waiters[waiter]?.remaining == 0 {
      let failures = waiters.removeValue(forKey: waiter)?.failures ?? []
      if !failures.isEmpty { outcome.borne.append((waiter, failures)) }
      outcome.ready.append(waiter)
    }
  }

  /// What is wrong, in words; at rest there must be neither waiter nor request nor batch.
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
