/// The requests of one type to the store: claims that wait for a batch, or are in one.
///
/// It knows ids only by the places of their claims, and claims the requested ids itself, so that a
/// place means one id for as long as that is requested. Each requested claim knows the number of
/// its request: claims that are only held cost nothing here.
struct LoadQueue {
  typealias Place = ClaimTable.Place

  /// The stage of an id's load.
  private enum Stage: Equatable, Sendable {
    case backlog
    case batch(Loader.BatchID)
  }

  private struct QueuedLoad: Sendable {
    /// The place of the claim; 0 if the entry is free.
    var place: Place
    var stage = Stage.backlog
    var waiters = WaiterList()
    /// The number of times it was requested again because its record may have changed.
    var restarts = 0
    /// Whether the answer of its batch is too old to be kept: it is only for the waiters from
    /// before that.
    var isOutdated = false
    /// The later waiters, which wait for the answer after that.
    var late = WaiterList()
    /// The maximum age of the answer, for the waiters that demand one.
    var limits = AnswerAges.Limits()
    /// Whether something is known of it, and may be out of date.
    var isRefresh = false
  }

  let recordType: any GraphRecord.Type
  private let type: TypeNumber
  /// By the number of the request, from 1 on; the first is never used.
  private var entries = Self.noEntries
  /// The numbers of the entries that are free.
  private var free = PagedArray<UInt32>()
  /// The number of requested ids.
  private(set) var requestCount = 0
  /// The ids in the order of their requests; one that is no longer in the backlog is skipped.
  private var backlog = PagedArray<Place>()
  private var head = 0
  /// The number of ids that are not in a batch yet, and may be.
  private(set) var backlogCount = 0

  private static var noEntries: PagedArray<QueuedLoad> {
    var entries = PagedArray<QueuedLoad>()
    entries.append(QueuedLoad(place: 0))
    return entries
  }

  init(of recordType: any GraphRecord.Type, type: TypeNumber) {
    self.recordType = recordType
    self.type = type
  }

  /// The number of waits: a waiter counts once for each id.
  var waitCount: Int {
    (0..<entries.count).reduce(0) { $0 + entries[$1].waiters.count + entries[$1].late.count }
  }

  /// The number of allocated entries: the greatest number in use at the same time.
  var entryCount: Int { entries.count - 1 }

  /// Returns the position of a claim's entry, if its id is requested.
  private func index(of place: Place, _ map: borrowing IdentityMap) -> Int? {
    let request = map.claims[type].pointee[place].request
    return request == 0 ? nil : Int(request)
  }

  // MARK: Waiting

  /// Makes a waiter wait for those of its claims that are neither in memory nor known missing, or
  /// not as fresh as it demands.
  mutating func request(
    _ places: ContiguousArray<Place>, for waiter: Loader.WaiterID, _ bounds: AgeBounds?,
    _ map: inout IdentityMap
  ) -> LoadRequest {
    var request = LoadRequest()
    let absent = map.absent(places, as: recordType, since: bounds?.oldest)
    let claims = map.claims[type]
    for place in absent {
      let index = Int(claims.pointee[place].request)
      if index == 0 {
        let number = add(place, waiter)
        entries[Int(number)].limits = bounds?.limits ?? AnswerAges.Limits()
        entries[Int(number)].isRefresh = bounds != nil
        claims.pointee.rows[Int(place)].claimants += 1
        claims.pointee.rows[Int(place)].request = number
        addToBacklog(place, claims)
      } else {
        if let limits = bounds?.limits { entries[index].limits.formMinimum(limits) }
        if entries[index].waiters.contains(waiter) || entries[index].late.contains(waiter) {
          continue
        }
        if entries[index].isOutdated {
          entries[index].late.append(waiter)
          request.count += 1
          continue
        }
        if case .batch(let batch) = entries[index].stage, entries[index].waiters.isEmpty {
          request.wantedAgain[batch, default: 0] += 1
        }
        // L1: the id is requested already, so the waiter joins.
        entries[index].waiters.append(waiter)
        request.coalesced += 1
      }
      request.count += 1
    }
    return request
  }

  /// Removes a waiter from its claims; returns, for each id that nobody waits for any longer, its
  /// batch.
  mutating func leave(
    _ places: ContiguousArray<Place>, _ waiter: Loader.WaiterID, _ map: inout IdentityMap
  ) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    for place in places {
      guard let index = index(of: place, map), !entries[index].late.remove(waiter),
        entries[index].waiters.remove(waiter), entries[index].waiters.isEmpty
      else { continue }
      // L3: nobody waits any longer, so the id need not be loaded.
      if case .batch(let batch) = entries[index].stage {
        unwanted.append(batch)
        if entries[index].isOutdated { askAgain(index, &map) }
      } else {
        _ = removeRequests(place, &map)
      }
    }
    return unwanted
  }

  /// Adds an entry; returns its number.
  private mutating func add(_ place: Place, _ waiter: Loader.WaiterID) -> UInt32 {
    requestCount += 1
    let entry = QueuedLoad(place: place, waiters: WaiterList(waiter))
    if free.count == 0 {
      entries.append(entry)
      return UInt32(truncatingIfNeeded: entryCount)
    }
    let number = free.removeLast()
    entries[Int(number)] = entry
    return number
  }

  private mutating func addToBacklog(
    _ place: Place, _ claims: UnsafeMutablePointer<ClaimTable>
  ) {
    if claims.pointee[place].isBlocked { return }
    backlog.append(place)
    backlogCount += 1
  }

  /// Requests an id again whose answer was too old to be kept, if it has later waiters.
  private mutating func askAgain(_ index: Int, _ map: inout IdentityMap) {
    let place = entries[index].place
    if entries[index].late.isEmpty { return remove([place], &map) }
    entries[index] = QueuedLoad(place: place, waiters: entries[index].late)
    addToBacklog(place, map.claims[type])
  }

  /// Removes an id, if it is requested.
  private mutating func removeRequests(_ place: Place, _ map: inout IdentityMap) -> LoadEntry? {
    guard let index = index(of: place, map) else { return nil }
    entries[index].waiters.formUnion(entries[index].late)
    let entry = entries[index]
    var batch: Loader.BatchID?
    switch entry.stage {
    case .backlog: if !map.claims[type].pointee[place].isBlocked { backlogCount -= 1 }
    case .batch(let id): batch = id
    }
    remove([place], &map)
    return LoadEntry(batch: batch, waiters: entry.waiters)
  }

  /// Ends the requests at some places, and evicts records beyond the limits.
  private mutating func remove(_ places: ContiguousArray<Place>, _ map: inout IdentityMap) {
    let claims = map.claims[type]
    for place in places {
      let number = claims.pointee[place].request
      entries[Int(number)] = QueuedLoad(place: 0)
      free.append(number)
      claims.pointee.rows[Int(place)].request = 0
    }
    requestCount -= places.count
    if requestCount == 0 {
      if entries.count <= PagedArray<QueuedLoad>.pageSize {
        while entries.count > 1 { entries.removeLast() }
        free.removeAll()
      } else {
        // Releasing so many takes a while.
        map.dropped.append(entries)
        map.dropped.append(free)
        (entries, free) = (Self.noEntries, PagedArray())
      }
      backlog.removeAll()
      head = 0
    }
    map.end(Claims(type: type, places: places))
    map.evictOverflow()
  }

  // MARK: Writes

  /// Removes an array of ids; returns those that were requested.
  mutating func removeRequests(_ ids: IDs, _ map: inout IdentityMap) -> [LoadEntry] {
    var taken: [LoadEntry] = []
    for place in map.claimed(ids, as: recordType) {
      if let entry = removeRequests(place, &map) { taken.append(entry) }
    }
    return taken
  }

  /// Removes those ids whose records are in memory; returns `nil` if records of some requested ids
  /// may have been there before.
  ///
  /// - Complexity: O(*n*) in the requested ids, not in the records that have arrived.
  mutating func takeArrived(_ map: inout IdentityMap) -> [LoadEntry]? {
    if requestCount == 0 { return [] }
    var arrived: [Place] = []
    for number in 1..<entries.count where entries[number].place != 0 {
      if entries[number].isRefresh { return nil }
      let place = entries[number].place
      if map.claims[type].pointee[place].slot != .none { arrived.append(place) }
    }
    return arrived.compactMap { removeRequests($0, &map) }
  }

  /// The number of times that an id is requested again because its record may have changed, before
  /// its waiters get an answer that is too old to be kept.
  static let maxRestarts = 8

  /// Removes an array of ids from their batches and requests those again that have waiters.
  ///
  /// An id that was requested again too often stays in its batch: otherwise a record that changes
  /// faster than it is fetched would never arrive. Its present waiters get that answer, which was
  /// true when the store gave it, after they asked; later ones do not.
  ///
  /// - Returns: The batch of each that was in one and wanted.
  mutating func putBack(_ ids: IDs, _ map: inout IdentityMap) -> [Loader.BatchID] {
    var batches: [Loader.BatchID] = []
    for place in map.claimed(ids, as: recordType) {
      if let batch = restart(place, &map) { batches.append(batch) }
    }
    return batches
  }

  private mutating func restart(_ place: Place, _ map: inout IdentityMap) -> Loader.BatchID? {
    if let index = index(of: place, map), entries[index].stage != .backlog,
      !entries[index].waiters.isEmpty
    {
      if entries[index].isOutdated { return nil }
      entries[index].restarts += 1
      entries[index].isOutdated = entries[index].restarts > Self.maxRestarts
      if entries[index].isOutdated { return nil }
    }
    return putBack(place, &map)
  }

  /// Removes an id from its batch and requests it again, if it has waiters; returns the batch if
  /// so.
  private mutating func putBack(_ place: Place, _ map: inout IdentityMap) -> Loader.BatchID? {
    guard let index = index(of: place, map), case .batch(let batch) = entries[index].stage else {
      return nil
    }
    if entries[index].waiters.isEmpty {
      remove([place], &map)
      return nil
    }
    entries[index].waiters.formUnion(entries[index].late)
    entries[index].late = WaiterList()
    entries[index].isOutdated = false
    entries[index].stage = .backlog
    addToBacklog(place, map.claims[type])
    return batch
  }

  /// Removes all ids from their batches and requests them again; returns the batch of each.
  mutating func putAllBack(_ map: inout IdentityMap) -> [Loader.BatchID] {
    let places = (0..<entries.count).map { entries[$0].place }.filter { $0 != 0 }
    return places.compactMap { restart($0, &map) }
  }

  /// Keeps an array of ids out of all batches; returns the batches in which they had waiters.
  mutating func blockLoads(_ ids: IDs, _ map: inout IdentityMap) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    let waiting = map.claimed(ids, as: recordType).count { place in
      isInBacklog(place, map) && !map.claims[type].pointee[place].isBlocked
    }
    backlogCount -= waiting
    for place in map.blockLoads(ids, as: recordType) {
      if let batch = putBack(place, &map) { unwanted.append(batch) }
    }
    return unwanted
  }

  /// Stops holding ids; returns a closure that returns the ids that were held, in chunks.
  func takeBlocked(_ map: inout IdentityMap) -> @Sendable () -> [IDs] {
    map.takeBlocked(recordType)
  }

  /// Admits held ids to batches again.
  mutating func unblockLoads(_ ids: IDs, _ map: inout IdentityMap) {
    for place in map.unblockLoads(ids, as: recordType) where isInBacklog(place, map) {
      addToBacklog(place, map.claims[type])
    }
  }

  // MARK: Batches

  /// Moves ids from the backlog into a batch, at most so many; returns their claims.
  ///
  /// The maximum age of the answer is lowered to that of these ids' waiters.
  mutating func takeBatch(
    _ batch: Loader.BatchID, limit: Int, _ ages: inout AnswerAges.Limits,
    _ map: borrowing IdentityMap
  ) -> ContiguousArray<Place> {
    let claims = map.claims[type]
    var places: ContiguousArray<Place> = []
    guard backlogCount > 0 else { return places }
    places.reserveCapacity(min(limit, backlogCount))
    while head < backlog.count, places.count < limit {
      let place = backlog[head]
      head += 1
      guard isInBacklog(place, map), !claims.pointee[place].isBlocked else { continue }
      let index = Int(claims.pointee[place].request)
      entries[index].stage = .batch(batch)
      ages.formMinimum(entries[index].limits)
      places.append(place)
    }
    backlogCount -= places.count
    if head == backlog.count {
      backlog.removeAll()
      head = 0
    } else {
      head -= backlog.removePages(before: head)
    }
    return places
  }

  /// Stores a range of the answer to a batch; of a partial answer, the records that could be read.
  ///
  /// The range is one of the numbers of the batch's ids; the places are the claims of all of them.
  mutating func accept(
    _ range: Range<Int>, of given: BatchAnswer, to batch: Loader.BatchID,
    _ places: ContiguousArray<Place>, _ map: inout IdentityMap
  ) -> LoadAnswer {
    var answer = LoadAnswer()
    var places = ContiguousArray(places[range])
    let found = ContiguousArray(given.found[range])
    var failed: ContiguousArray<Place> = []
    var refreshes = false
    for number in places.indices {
      // L2: after a write, the id is not requested any more, so the answer is ignored.
      guard let index = index(of: places[number], map), isAsked(places[number], of: batch, map)
      else {
        places[number] = 0
        continue
      }
      if let failure = given.failure(of: range.lowerBound + number) {
        answer.failures.append((failure, entries[index].waiters))
        failed.append(places[number])
        places[number] = 0
        continue
      }
      if entries[index].isOutdated {
        answer.outdated.append((places[number], entries[index].waiters))
      }
      if entries[index].isRefresh { refreshes = true }
      if found[number] < 0 {
        answer.missing += 1
      } else {
        answer.loaded += 1
      }
    }
    answer.changed = admit(given, found, places, refreshes: refreshes, &map)
    places.removeAll { $0 == 0 }
    for place in places {
      guard let index = index(of: place, map) else { continue }
      entries[index].waiters.forEach { answer.endWait(of: $0) }
    }
    if !answer.outdated.isEmpty {
      places.removeAll { place in index(of: place, map).map { entries[$0].isOutdated } ?? false }
    }
    remove(places, &map)
    // L5: nothing is remembered of a failed id, so the next caller requests it again.
    removeFailed(failed, &map)
    return answer
  }

  /// Stores the answer in the map; returns the known ids whose values have changed.
  private func admit(
    _ given: BatchAnswer, _ found: ContiguousArray<Int32>, _ places: ContiguousArray<Place>,
    refreshes: Bool, _ map: inout IdentityMap
  ) -> IDs? {
    var absent = places
    let changed =
      refreshes
      ? map.refresh(given.records, found, &absent, age: given.age, as: recordType, type) : nil
    map.operations[type].admit(&map, given.records, found, absent)
    if let age = given.age { map.date(absent, as: recordType, type, by: age) }
    return changed
  }

  /// Drops records that were too old to be kept, once their waiters have them.
  mutating func dropOutdated(_ places: ContiguousArray<Place>, _ map: inout IdentityMap) {
    map.dropOutdated(places, as: recordType)
    for place in places {
      if let index = index(of: place, map), entries[index].isOutdated { askAgain(index, &map) }
    }
  }

  /// Removes the ids of a batch that nobody waits for any longer.
  mutating func drop(
    _ places: ContiguousArray<Place>, of batch: Loader.BatchID, _ map: inout IdentityMap
  ) {
    removeFailed(places.filter { isAsked($0, of: batch, map) }, &map)
  }

  /// Removes ids whose waiters fail, except for the waiters that came too late for this answer.
  private mutating func removeFailed(_ places: some Sequence<Place>, _ map: inout IdentityMap) {
    for place in places { index(of: place, map).map { askAgain($0, &map) } }
  }

  /// Returns whether an id still belongs to a batch.
  private func isAsked(
    _ place: Place, of batch: Loader.BatchID, _ map: borrowing IdentityMap
  ) -> Bool {
    guard let index = index(of: place, map), entries[index].place == place else { return false }
    return entries[index].stage == .batch(batch)
  }

  private func isInBacklog(_ place: Place, _ map: borrowing IdentityMap) -> Bool {
    index(of: place, map).map { entries[$0].stage == .backlog } ?? false
  }

  // MARK: Waiters

  /// Adds the obstacles of a waiter's claims.
  func addObstacles(
    to places: ContiguousArray<Place>, of waiter: Loader.WaiterID,
    _ obstacles: inout Loader.Obstacles, _ map: borrowing IdentityMap
  ) {
    for place in places {
      guard let index = index(of: place, map),
        entries[index].waiters.contains(waiter) || entries[index].late.contains(waiter)
      else { continue }
      if case .batch(let batch) = entries[index].stage {
        obstacles.batches.insert(batch)
      } else if map.claims[type].pointee[place].isBlocked {
        obstacles.isHeld = true
      } else {
        obstacles.isQueued = true
      }
    }
  }

  /// The batches that an array of ids are in.
  func batches(of ids: IDs, _ map: borrowing IdentityMap) -> Set<Loader.BatchID> {
    var batches: Set<Loader.BatchID> = []
    for place in map.claimed(ids, as: recordType) {
      guard let index = index(of: place, map), case .batch(let batch) = entries[index].stage else {
        continue
      }
      batches.insert(batch)
    }
    return batches
  }

  func audit(_ map: borrowing IdentityMap) -> [String] {
    var failures: [String] = []
    var asked = 0
    var waiting = 0
    for number in 0..<entries.count where entries[number].place != 0 {
      let entry = entries[number]
      let place = entry.place
      let row = map.claims[type].pointee[place]
      asked += 1
      if !entry.late.isEmpty, !entry.isOutdated {
        failures.append("claim \(place) has come too late for an answer that is not too old")
      }
      if entry.isOutdated, entry.waiters.isEmpty {
        failures.append("claim \(place) has an answer that is too old, for nobody")
      }
      if Int(row.request) != number { failures.append("claim \(place) does not know its request") }
      if row.slot != .none, !entry.isRefresh {
        failures.append("claim \(place) is asked for and in memory")
      }
      if row.claimants == 0 { failures.append("claim \(place) is asked for and has ended") }
      if entry.stage == .backlog {
        if !row.isBlocked { waiting += 1 }
        if entry.waiters.isEmpty { failures.append("claim \(place) is asked for by nobody") }
      }
    }
    if asked + free.count != entryCount { failures.append("requests are neither used nor free") }
    if asked != requestCount { failures.append("\(asked) are asked for, not \(requestCount)") }
    if waiting != backlogCount { failures.append("\(waiting) in the backlog, not \(backlogCount)") }
    return failures
  }
}

extension GraphRecord {
  /// Returns the error that the store has answered with a record that was not requested, or is
  /// repeated.
  static func unexpected(_ unexpected: UnexpectedValue) -> KinshipError {
    guard let record = unexpected.value as? Self else {
      return .fetchFailed(type: recordName, ids: [], cause: unexpected)
    }
    return .unexpectedRecord(AnyRef(record.ref))
  }
}
