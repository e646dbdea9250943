/// The ids of one type that are asked for: waiting for a batch, or in one.
final class LoadQueue<R: Record>: ErasedLoadQueue {
  private let type: Int
  private var entries: [R.ID: LoadEntry] = [:]
  /// The order in which ids came; one that is no longer in the backlog is passed over.
  private var backlog: [R.ID] = []
  private var head = 0
  private(set) var backlogCount = 0
  /// Ids that no batch may ask for until they are released.
  private var held: Set<R.ID> = []

  init(type: Int) { self.type = type }

  var typeName: String { R.recordName }
  var requestCount: Int { entries.count }
  var waitCount: Int { entries.values.reduce(0) { $0 + $1.waiters.count } }

  func refs(_ ids: any Sendable) -> [AnyRef] {
    (ids as? [R.ID] ?? []).map { AnyRef(Ref<R>($0)) }
  }

  // MARK: Waiting

  func request(
    _ ids: any Sendable, for waiter: Loader.WaiterID, _ map: borrowing IdentityMap
  ) -> LoadRequest {
    var request = LoadRequest()
    guard let ids = ids as? [R.ID], let table = map.table(R.self) else { return request }
    for id in ids where table.pointee.lookup(id, in: map.pages) == .absent {
      if let index = entries.index(forKey: id) {
        if entries.values[index].waiters.endsWith(waiter) { continue }
        if let batch = entries.values[index].batch, entries.values[index].waiters.isEmpty {
          request.wantedAgain[batch, default: 0] += 1
        }
        entries.values[index].waiters.append(waiter)
        request.coalesced += 1
      } else {
        entries[id] = LoadEntry(batch: nil, waiters: WaiterList(waiter))
        addToBacklog(id)
      }
      request.count += 1
    }
    return request
  }

  func leave(_ ids: any Sendable, _ waiter: Loader.WaiterID) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    for id in ids as? [R.ID] ?? [] {
      guard let index = entries.index(forKey: id), entries.values[index].waiters.remove(waiter),
        entries.values[index].waiters.isEmpty
      else { continue }
      if let batch = entries.values[index].batch {
        unwanted.append(batch)
      } else {
        entries.remove(at: index)
        removeFromBacklog(id)
      }
    }
    return unwanted
  }

  private func addToBacklog(_ id: R.ID) {
    if held.contains(id) { return }
    backlog.append(id)
    backlogCount += 1
  }

  private func removeFromBacklog(_ id: R.ID) {
    if !held.contains(id) { backlogCount -= 1 }
  }

  // MARK: Writes

  /// Takes an id out.
  func take(_ id: R.ID) -> LoadEntry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if entry.batch == nil { removeFromBacklog(id) }
    return entry
  }

  func take(_ ids: any Sendable) -> [LoadEntry] {
    (ids as? [R.ID] ?? []).compactMap { take($0) }
  }

  /// Takes an id out of its batch and asks for it again, if anybody waits for it.
  ///
  /// - Returns: The batch, if the id was in one and wanted.
  func putBack(_ id: R.ID) -> Loader.BatchID? {
    guard let index = entries.index(forKey: id), let batch = entries.values[index].batch else {
      return nil
    }
    if entries.values[index].waiters.isEmpty {
      entries.remove(at: index)
      return nil
    }
    entries.values[index].batch = nil
    addToBacklog(id)
    return batch
  }

  func putAllBack() -> [Loader.BatchID] { Array(entries.keys).compactMap(putBack) }

  func hold(_ ids: any Sendable) -> [Loader.BatchID] {
    var unwanted: [Loader.BatchID] = []
    for id in ids as? [R.ID] ?? [] {
      if let entry = entries[id], entry.batch == nil { removeFromBacklog(id) }
      held.insert(id)
      if let batch = putBack(id) { unwanted.append(batch) }
    }
    return unwanted
  }

  func release() {
    let released = held
    held = []
    for id in released where entries[id].map({ $0.batch == nil }) ?? false { addToBacklog(id) }
  }

  // MARK: Batches

  func takeBatch(
    _ batch: Loader.BatchID, limit: Int
  ) -> (ids: any Sendable, count: Int)? {
    guard backlogCount > 0 else { return nil }
    var ids: [R.ID] = []
    while head < backlog.count, ids.count < limit {
      let id = backlog[head]
      head += 1
      guard let index = entries.index(forKey: id), entries.values[index].batch == nil,
        !held.contains(id)
      else { continue }
      entries.values[index].batch = batch
      ids.append(id)
    }
    backlogCount -= ids.count
    if head == backlog.count {
      backlog.removeAll(keepingCapacity: backlog.count <= 1024)
      head = 0
    } else if head > 1024, head > backlog.count / 2 {
      backlog.removeFirst(head)
      head = 0
    }
    return ids.isEmpty ? nil : (ids, ids.count)
  }

  func accept(
    _ records: any Sendable, of batch: Loader.BatchID, asked: any Sendable,
    _ map: inout IdentityMap
  ) throws(KinshipError) -> LoadAnswer {
    let ids = asked as? [R.ID] ?? []
    let records = records as? [R] ?? []
    var missing = Set(ids)
    for record in records where missing.remove(record.id) == nil {
      throw .unexpectedRecord(AnyRef(record.ref))
    }
    var answer = LoadAnswer()
    let wanted = records.filter { takeWaiters(of: $0.id, in: batch, &answer) }
    answer.loaded = wanted.count
    map.operations[type].admit(&map, wanted)
    for id in ids where missing.contains(id) && takeWaiters(of: id, in: batch, &answer) {
      map.table(R.self)?.pointee.noteMissing(id)
      answer.missing += 1
    }
    return answer
  }

  /// Takes an id out if it is still the business of a batch.
  private func takeWaiters(
    of id: R.ID, in batch: Loader.BatchID, _ answer: inout LoadAnswer
  ) -> Bool {
    guard let index = entries.index(forKey: id), entries.values[index].batch == batch else {
      return false
    }
    answer.waiters.append(entries.remove(at: index).value.waiters)
    return true
  }

  func drop(_ ids: any Sendable, of batch: Loader.BatchID) -> [Loader.WaiterID] {
    var answer = LoadAnswer()
    for id in ids as? [R.ID] ?? [] { _ = takeWaiters(of: id, in: batch, &answer) }
    return answer.waiters.flatMap(Array.init)
  }

  func audit(_ map: borrowing IdentityMap) -> [String] {
    var failures: [String] = []
    for (id, entry) in entries {
      if map.contains(id, as: R.self) { failures.append("\(id) is asked for and in memory") }
      if entry.batch == nil, entry.waiters.isEmpty {
        failures.append("\(id) is asked for by nobody")
      }
    }
    let waiting = entries.count { $0.value.batch == nil && !held.contains($0.key) }
    if waiting != backlogCount { failures.append("\(waiting) in the backlog, not \(backlogCount)") }
    return failures
  }
}
