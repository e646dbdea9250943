internal import Kinship

struct TierPut<R: GraphRecord>: Sendable {
  let record: R
  let copy: TierCopy
}

extension NearTier {
  /// Writes copies of records from the far store, and drops those of records that it does not have.
  func keep<R: GraphRecord>(
    _ records: [R], missing: [R.ID] = [], since began: UInt64, asOf: Int
  ) async {
    guard !(records.isEmpty && missing.isEmpty) else { return }
    let sized = records.prefix(policy.count).map { ($0, TierSize.bytes(of: $0)) }
    await inTurn { [self] in
      let (puts, gone) = state.withLock { state in
        let gone = missing.filter { state.table(R.self).admits($0, at: began) }
        for id in gone {
          let isThere = !state.isOpen || state.table(R.self).copies[id] != nil
          state.set(id, of: R.self, to: nil)
          state.change(R.self) { table in
            if isThere { table.pendingDeletions.insert(id) }
            table.rejectResults(id, before: began)
          }
        }
        guard state.isOpen else { return ([TierPut<R>](), gone) }
        let now = self.now
        let puts = sized.compactMap { record, bytes -> TierPut<R>? in
          guard state.table(R.self).admits(record.id, at: began), bytes <= policy.bytes else {
            return nil
          }
          let use = state.nextUse(at: now)
          return TierPut(
            record: record,
            copy: TierCopy(
              asOf: asOf, bytes: bytes, used: use, writtenUse: use, moment: began))
        }
        return (puts, gone)
      }
      if !gone.isEmpty || state.withLock({ !$0.table(R.self).pendingDeletions.isEmpty }) {
        await pay(R.self)
      }
      await put(puts)
      await evict()
    }
  }

  /// Writes copies if the near store was read, and returns whether it has not failed.
  @discardableResult
  func put<R: GraphRecord>(_ puts: [TierPut<R>]) async -> Bool {
    guard !puts.isEmpty, state.withLock({ $0.isOpen }) else { return true }
    do {
      try await write(puts)
      return true
    } catch {
      countFailure(error)
      return false
    }
  }

  private func write<R: GraphRecord>(_ all: [TierPut<R>]) async throws {
    var (puts, table) = (all, state.withLock { $0.table(R.self) })
    var present = Set(puts.lazy.map { $0.record.id }.filter { table.copies[$0] != nil })
    // Write overdue uses too, at most as many as there are copies to write.
    var used = table.touched.filter { !present.contains($0) }.prefix(puts.count).compactMap { id in
      table.copies[id].map { (id, $0) }
    }
    table = TierTable()
    for attempt in 0...Self.attempts where !puts.isEmpty {
      do {
        try await store.apply(Self.changes(puts, present, used))
        break
      } catch KinshipError.notUnique(let ref, let other, _, _) where attempt < Self.attempts {
        // One of the two is stale: the far store cannot have both.
        let outdated = [ref, other].compactMap { $0.as(R.self)?.id }
        let wanted = Set(puts.map { $0.record.id })
        let copies = outdated.filter { !wanted.contains($0) }
        if copies.isEmpty {
          puts.removeAll { outdated.contains($0.record.id) }
        } else {
          await takeOut(R.self, copies)
        }
      } catch KinshipError.exists(let ref) where attempt < Self.attempts {
        try await clear(puts, present: ref)
        (present, used) = ([], [])
      } catch KinshipError.conflict where attempt < Self.attempts {
        try await clear(puts)
        (present, used) = ([], [])
      }
    }
    state.withLock { state in
      for put in puts {
        state.set(put.record.id, of: R.self, to: put.copy)
        state.change(R.self) { _ = $0.pendingDeletions.remove(put.record.id) }
      }
      for (id, copy) in used {
        var copy = copy
        copy.writtenUse = copy.used
        if state.table(R.self).copies[id] != nil { state.set(id, of: R.self, to: copy) }
      }
      state.statistics.kept += puts.count
    }
  }

  /// Deletes records that conflict with copies: somebody else has changed the near store, or a copy
  /// that cannot be read was abandoned.
  private func clear<R: GraphRecord>(_ puts: [TierPut<R>], present: AnyRef? = nil) async throws {
    let ids = puts.map { $0.record.id }
    var found = try await readable(R.self, ids)
    if let id = present?.as(R.self)?.id, !found.contains(where: { $0.id == id }) {
      found += puts.map { $0.record }.filter { $0.id == id }
    }
    let entries = try await readable(TierEntry<R>.self, ids)
    try await store.apply(ChangeSet(deleting: found).merging(ChangeSet(deleting: entries)))
  }

  private static var attempts: Int { 8 }

  private static func changes<R: GraphRecord>(
    _ puts: [TierPut<R>], _ present: Set<R.ID>, _ used: [(R.ID, TierCopy)]
  ) -> ChangeSet {
    var records = RecordEdits<R>()
    var entries = RecordEdits<TierEntry<R>>()
    func update<T: GraphRecord>(_ record: T) -> UpdatedRecord<T> {
      UpdatedRecord(record.ref, old: nil, new: record, properties: nil)
    }
    for put in puts {
      let entry = TierEntry<R>(put.record.id, put.copy)
      if present.contains(entry.id) {
        records.updated.append(update(put.record))
        entries.updated.append(update(entry))
      } else {
        records.inserted.append(put.record)
        entries.inserted.append(entry)
      }
    }
    for (id, copy) in used { entries.updated.append(update(TierEntry(id, copy))) }
    return ChangeSet(records).merging(ChangeSet(entries))
  }

  // MARK: Taking out

  /// Deletes copies, now or later, and returns those that were known and readable.
  @discardableResult
  func takeOut<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async -> [TierPut<R>] {
    let copies = state.withLock { state in
      var copies: [R.ID: TierCopy] = [:]
      for id in ids {
        copies[id] = state.table(type).copies[id]
        state.set(id, of: type, to: nil)
      }
      let isOpen = state.isOpen
      state.change(type) { $0.pendingDeletions.formUnion(isOpen ? Array(copies.keys) : ids) }
      return copies
    }
    let records = await pay(type)
    return records.compactMap { record in
      copies[record.id].map { TierPut(record: record, copy: $0) }
    }
  }

  /// Deletes the copies that an earlier failure left, and returns the deleted records.
  @discardableResult
  func pay<R: GraphRecord>(_ type: R.Type) async -> [R] {
    let ids = state.withLock { Array($0.table(type).pendingDeletions) }
    if ids.isEmpty { return [] }
    do {
      let records = try await readable(type, ids)
      let entries = try await readable(TierEntry<R>.self, ids)
      try await store.apply(ChangeSet(deleting: records).merging(ChangeSet(deleting: entries)))
      state.withLock { state in state.change(type) { $0.pendingDeletions.subtract(ids) } }
      return records
    } catch {
      countFailure(error)
      return []
    }
  }

  private func readable<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async throws -> [R] {
    do {
      return try await store.fetch(type, ids: ids)
    } catch let partial as PartialAnswer<R> {
      return partial.records
    } catch KinshipError.file(.damaged), KinshipError.untranslatable {
      return []
    }
  }

  /// Evicts the least recently used copies if a limit is exceeded: an eighth of the limit at a
  /// time, because each eviction sorts all copies.
  func evict() async {
    let limits = policy
    let last: Int? = state.withLock { [types] state in
      let now = state.statistics
      if now.copies <= limits.count, now.bytes <= limits.bytes { return nil }
      var uses: [(used: Int, bytes: Int)] = []
      func add<R: GraphRecord>(_ type: R.Type) {
        uses += state.table(type).copies.values.map { ($0.used, $0.bytes) }
      }
      for type in types { add(type) }
      uses.sort { $0.used < $1.used }
      var (count, bytes, last) = (now.copies, now.bytes, Int.min)
      for use in uses {
        if count <= limits.count - limits.count / 8, bytes <= limits.bytes - limits.bytes / 8 {
          break
        }
        (count, bytes, last) = (count - 1, bytes - use.bytes, use.used)
      }
      return last
    }
    guard let last else { return }
    func evict<R: GraphRecord>(_ type: R.Type) async {
      let ids = state.withLock { state in
        state.table(type).copies.filter { $0.value.used <= last }.map { $0.key }
      }
      if ids.isEmpty { return }
      state.withLock { $0.statistics.evicted += ids.count }
      await takeOut(type, ids)
    }
    for type in types { await evict(type) }
  }
}

extension TierEntry {
  init(_ id: R.ID, _ copy: TierCopy) {
    self.init(id: id, asOf: copy.asOf, used: copy.used, bytes: copy.bytes)
  }
}

enum TierSize {
  /// The encoded size of a record in bytes, by the compact coder; the size of its value alone if it
  /// is not `Codable`.
  static func bytes<R: GraphRecord>(of record: R) -> Int {
    var bytes: [UInt8] = []
    if let encodable = record as? any Encodable,
      (try? CompactCoder().makeEncoder(keys: []).encode(encodable, into: &bytes)) != nil
    {
      return bytes.count
    }
    return MemoryLayout<R>.size
  }
}
