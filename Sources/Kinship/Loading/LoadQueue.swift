/// What the store is asked for of one type: claims that wait for a batch, or are in one.
///
/// It knows ids by the places of their claims only, and claims what it asks for itself, so that a
/// place means one id for as long as that is asked for.
struct LoadQueue {
  typealias Place = ClaimTable.Place

  /// How far the load of an id has come.
  private enum Stage: Equatable {
    case unasked
    case backlog
    case batch(Loader.BatchID)
  }

  private struct Entry {
    var stage = Stage.unasked
    var waiters = WaiterList()
  }

  let recordType: any Record.Type
  private let type: Int
  /// By place.
  private var entries: ContiguousArray<Entry> = []
  /// How many ids are asked for.
  private(set) var requestCount = 0
  /// The order in which ids came; one that is no longer in the backlog is passed over.
  private var backlog: ContiguousArray<Place> = []
  private var head = 0
  /// How many ids are not in a batch yet, and may be.
  private(set) var backlogCount = 0

  init(of recordType: any Record.Type, type: Int) {
    self.recordType = recordType
    self.type = type
  }

  /// How many waits there are: a waiter counts once for each id.
  var waitCount: Int { entries.reduce(0) { $0 + $1.waiters.count } }

  /// Whether an id is asked for.
  func isAsked(_ place: Place) -> Bool {
    Int(place) < entries.count && entries[Int(place)].stage != .unasked
  }

  // MARK: Waiting

  /// Makes a waiter wait for those of its claims that are neither in memory nor known missing.
  mutating func request(
    _ places: ContiguousArray<Place>, for waiter: Loader.WaiterID, _ map: inout IdentityMap
  ) -> LoadRequest {
    var request = LoadRequest()
    let absent = map.operations[type].claims.absent(map, places)
    let claims = map.claims[type]
    let lack = claims.pointee.rows.count - entries.count
    if lack > 0 { entries.append(contentsOf: repeatElement(Entry(), count: lack)) }
    for place in absent {
      let index = Int(place)
      if entries[index].stage == .unasked {
        claims.pointee.rows[index].claimants += 1
        entries[index].stage = .backlog
        entries[index].waiters.append(waiter)
        requestCount += 1
        addToBacklog(place, claims)
      } else {
        if entries[index].waiters.endsWith(waiter) { continue }
        if case .batch(let batch) = entries[index].stage, entries[index].waiters.isEmpty {
          request.wantedAgain[batch, default: 0] += 1
        }
        entries[index].waiters.append(waiter)
        request.coalesced += 1
      }
      request.count += 1
    }
    return request
  }

  /// Takes a waiter from its claims; returns, for each id that nobody waits for any longer, its batch.
  mutating func leave(
    _ places: ContiguousArray<Place>, _ waiter: Loader.WaiterID, _ map: inout IdentityMap
  ) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    for place in places where Int(place) < entries.count {
      guard entries[Int(place)].waiters.remove(waiter), entries[Int(place)].waiters.isEmpty else {
        continue
      }
      if case .batch(let batch) = entries[Int(place)].stage {
        unwanted.append(batch)
      } else {
        _ = take(place, &map)
      }
    }
    return unwanted
  }

  private mutating func addToBacklog(
    _ place: Place, _ claims: UnsafeMutablePointer<ClaimTable>
  ) {
    if claims.pointee[place].isBarred { return }
    backlog.append(place)
    backlogCount += 1
  }

  /// Takes an id out, if it is asked for.
  private mutating func take(_ place: Place, _ map: inout IdentityMap) -> LoadEntry? {
    guard Int(place) < entries.count else { return nil }
    let entry = entries[Int(place)]
    var batch: Loader.BatchID?
    switch entry.stage {
    case .unasked: return nil
    case .backlog: if !map.claims[type].pointee[place].isBarred { backlogCount -= 1 }
    case .batch(let id): batch = id
    }
    remove([place], &map)
    return LoadEntry(batch: batch, waiters: entry.waiters)
  }

  /// Ends what is asked for at some places, and evicts what there is no room for then.
  private mutating func remove(_ places: ContiguousArray<Place>, _ map: inout IdentityMap) {
    for place in places { entries[Int(place)] = Entry() }
    requestCount -= places.count
    if requestCount == 0 {
      if entries.count > 4096 { entries = [] }
      backlog.removeAll(keepingCapacity: backlog.count <= 1024)
      head = 0
    }
    map.end(Claims(type: type, places: places))
    map.evictOverflow()
  }

  // MARK: Writes

  /// Takes an array of ids out; returns those that were asked for.
  mutating func take(_ ids: any Sendable, _ map: inout IdentityMap) -> [LoadEntry] {
    var taken: [LoadEntry] = []
    for place in map.operations[type].claims.claimed(map, ids) {
      if let entry = take(place, &map) { taken.append(entry) }
    }
    return taken
  }

  /// Takes an array of ids out of their batches and asks for them again, as far as anybody waits.
  ///
  /// - Returns: The batch of each that was in one and wanted.
  mutating func putBack(_ ids: any Sendable, _ map: inout IdentityMap) -> [Loader.BatchID] {
    var batches: [Loader.BatchID] = []
    for place in map.operations[type].claims.claimed(map, ids) {
      if let batch = putBack(place, &map) { batches.append(batch) }
    }
    return batches
  }

  private mutating func putBack(_ place: Place, _ map: inout IdentityMap) -> Loader.BatchID? {
    guard Int(place) < entries.count, case .batch(let batch) = entries[Int(place)].stage else {
      return nil
    }
    if entries[Int(place)].waiters.isEmpty {
      remove([place], &map)
      return nil
    }
    entries[Int(place)].stage = .backlog
    addToBacklog(place, map.claims[type])
    return batch
  }

  /// Takes all ids out of their batches and asks for them again; returns the batch of each.
  mutating func putAllBack(_ map: inout IdentityMap) -> [Loader.BatchID] {
    entries.indices.compactMap { putBack(Place($0), &map) }
  }

  /// Keeps an array of ids out of all batches; returns the batches they were wanted of.
  mutating func hold(_ ids: any Sendable, _ map: inout IdentityMap) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    let waiting = map.operations[type].claims.claimed(map, ids).count { place in
      Int(place) < entries.count && entries[Int(place)].stage == .backlog
        && !map.claims[type].pointee[place].isBarred
    }
    backlogCount -= waiting
    for place in map.operations[type].claims.bar(&map, ids) {
      if let batch = putBack(place, &map) { unwanted.append(batch) }
    }
    return unwanted
  }

  /// Lets what was held into batches again.
  mutating func release(_ map: inout IdentityMap) {
    for place in map.operations[type].claims.unbar(&map)
    where Int(place) < entries.count && entries[Int(place)].stage == .backlog {
      addToBacklog(place, map.claims[type])
    }
  }

  // MARK: Batches

  /// Moves ids from the backlog into a batch.
  mutating func takeBatch(
    _ batch: Loader.BatchID, limit: Int, _ map: borrowing IdentityMap
  ) -> ContiguousArray<Place> {
    let claims = map.claims[type]
    var places: ContiguousArray<Place> = []
    guard backlogCount > 0 else { return places }
    places.reserveCapacity(min(limit, backlogCount))
    while head < backlog.count, places.count < limit {
      let place = backlog[head]
      head += 1
      guard Int(place) < entries.count, entries[Int(place)].stage == .backlog,
        !claims.pointee[place].isBarred
      else { continue }
      entries[Int(place)].stage = .batch(batch)
      places.append(place)
    }
    backlogCount -= places.count
    if head == backlog.count {
      backlog.removeAll(keepingCapacity: backlog.count <= 1024)
      head = 0
    } else if head > 1024, head > backlog.count / 2 {
      backlog.removeFirst(head)
      head = 0
    }
    return places
  }

  /// Takes in the answer to a batch; of a partial one, what could be read.
  ///
  /// - Throws: `KinshipError.unexpectedRecord`, before anything is taken in.
  mutating func accept(
    _ records: any Sendable, partial: (any ErasedPartialAnswer)?, of batch: Loader.BatchID,
    asked ids: any Sendable, _ places: ContiguousArray<Place>, _ map: inout IdentityMap
  ) throws(KinshipError) -> LoadAnswer {
    let found: ContiguousArray<Int32>
    do throws(UnexpectedValue) {
      found = try map.operations[type].claims.match(records, ids)
    } catch {
      throw recordType.unexpected(error)
    }
    let failures = try partial?.failures(of: ids, found: found) ?? [:]
    var answer = LoadAnswer()
    var places = places
    var failed: ContiguousArray<Place> = []
    for number in places.indices {
      if !isAsked(places[number], of: batch) {
        places[number] = 0
      } else if let (ref, error) = failures[number] {
        answer.failures.append(
          (LoadFailure(ref: ref, error: error), entries[Int(places[number])].waiters))
        failed.append(places[number])
        places[number] = 0
      } else if found[number] < 0 {
        answer.missing += 1
      } else {
        answer.loaded += 1
      }
    }
    map.operations[type].claims.admit(&map, records, found, places)
    places.removeAll { $0 == 0 }
    for place in places {
      entries[Int(place)].waiters.forEach { answer.waits.add($0) }
    }
    remove(places + failed, &map)
    return answer
  }

  /// Takes the ids of a batch out; returns who waits for them, by the place of each id in the batch.
  mutating func drop(
    _ places: ContiguousArray<Place>, of batch: Loader.BatchID, _ map: inout IdentityMap
  ) -> [(number: Int, waiters: WaiterList)] {
    let asked = places.indices.filter { isAsked(places[$0], of: batch) }
    let waits = asked.map { ($0, entries[Int(places[$0])].waiters) }
    remove(ContiguousArray(asked.map { places[$0] }), &map)
    return waits
  }

  /// Whether an id is still the business of a batch.
  private func isAsked(_ place: Place, of batch: Loader.BatchID) -> Bool {
    Int(place) < entries.count && entries[Int(place)].stage == .batch(batch)
  }

  func audit(_ map: borrowing IdentityMap) -> [String] {
    var failures: [String] = []
    var asked = 0
    var waiting = 0
    for (index, entry) in entries.enumerated() where entry.stage != .unasked {
      let row = map.claims[type].pointee[Place(index)]
      asked += 1
      if row.slot != .none { failures.append("claim \(index) is asked for and in memory") }
      if row.claimants == 0 { failures.append("claim \(index) is asked for and has ended") }
      if entry.stage == .backlog {
        if !row.isBarred { waiting += 1 }
        if entry.waiters.isEmpty { failures.append("claim \(index) is asked for by nobody") }
      }
    }
    if asked != requestCount { failures.append("\(asked) are asked for, not \(requestCount)") }
    if waiting != backlogCount { failures.append("\(waiting) in the backlog, not \(backlogCount)") }
    return failures
  }
}

extension Record {
  /// The error that the store has answered with a record that it was not asked for, or twice.
  static func unexpected(_ unexpected: UnexpectedValue) -> KinshipError {
    guard let record = unexpected.value as? Self else {
      return .fetchFailed(type: recordName, ids: [], cause: unexpected)
    }
    return .unexpectedRecord(AnyRef(record.ref))
  }
}
