internal import Kinship

/// A copy that is to be kept.
struct TierPut<R: GraphRecord>: Sendable {
  let record: R
  let copy: TierCopy
}

extension NearTier {
  /// Makes copies of what the far store has answered, and drops those of what it does not have.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - missing: The ids of those that do not exist.
  ///   - began: The moment at which the far store was asked.
  ///   - asOf: When that was.
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
            if isThere { table.owed.insert(id) }
            table.bar(id, before: began)
          }
        }
        guard state.isOpen else { return ([TierPut<R>](), gone) }
        let now = clock.now
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
      if !gone.isEmpty || state.withLock({ !$0.table(R.self).owed.isEmpty }) { await pay(R.self) }
      await put(puts)
      await evict()
    }
  }

  /// Makes copies, if what is near was read.
  ///
  /// - Returns: Whether the near store has not failed.
  @discardableResult
  func put<R: GraphRecord>(_ puts: [TierPut<R>]) async -> Bool {
    guard !puts.isEmpty, state.withLock({ $0.isOpen }) else { return true }
    do {
      try await write(puts)
      return true
    } catch {
      note(error)
      return false
    }
  }

  private func write<R: GraphRecord>(_ all: [TierPut<R>]) async throws {
    var (puts, table) = (all, state.withLock { $0.table(R.self) })
    var present = Set(puts.lazy.map { $0.record.id }.filter { table.copies[$0] != nil })
    // What was used long after it was written: as many as are written anyway.
    var used = table.touched.filter { !present.contains($0) }.prefix(puts.count).compactMap { id in
      table.copies[id].map { (id, $0) }
    }
    table = TierTable()
    for attempt in 0...Self.attempts where !puts.isEmpty {
      do {
        try await store.apply(Self.changes(puts, present, used))
        break
      } catch KinshipError.notUnique(let ref, let other, _, _) where attempt < Self.attempts {
        // One of the two is outdated: the far store has not both.
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
        state.change(R.self) { _ = $0.owed.remove(put.record.id) }
      }
      for (id, copy) in used {
        var copy = copy
        copy.writtenUse = copy.used
        if state.table(R.self).copies[id] != nil { state.set(id, of: R.self, to: copy) }
      }
      state.statistics.kept += puts.count
    }
  }

  /// Deletes what stands in the way of copies: somebody else has changed what is near, or one that
  /// cannot be read was given up.
  ///
  /// - Parameters:
  ///   - puts: The copies.
  ///   - present: A record that is there, whether it can be read or not.
  /// - Throws: What the near store throws.
  private func clear<R: GraphRecord>(_ puts: [TierPut<R>], present: AnyRef? = nil) async throws {
    let ids = puts.map { $0.record.id }
    var found = try await readable(R.self, ids)
    if let id = present?.as(R.self)?.id, !found.contains(where: { $0.id == id }) {
      found += puts.map { $0.record }.filter { $0.id == id }
    }
    let entries = try await readable(TierEntry<R>.self, ids)
    try await store.apply(ChangeSet(deleting: found).merging(ChangeSet(deleting: entries)))
  }

  /// How often copies are tried again that the near store refuses.
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

  /// Takes copies out; those that the near store does not give away are owed.
  ///
  /// - Returns: What they were, as far as it was known and can be read.
  @discardableResult
  func takeOut<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async -> [TierPut<R>] {
    let copies = state.withLock { state in
      var copies: [R.ID: TierCopy] = [:]
      for id in ids {
        copies[id] = state.table(type).copies[id]
        state.set(id, of: type, to: nil)
      }
      let isOpen = state.isOpen
      state.change(type) { $0.owed.formUnion(isOpen ? Array(copies.keys) : ids) }
      return copies
    }
    let records = await pay(type)
    return records.compactMap { record in
      copies[record.id].map { TierPut(record: record, copy: $0) }
    }
  }

  /// Deletes what is owed.
  ///
  /// - Returns: The records that are deleted.
  @discardableResult
  func pay<R: GraphRecord>(_ type: R.Type) async -> [R] {
    let ids = state.withLock { Array($0.table(type).owed) }
    if ids.isEmpty { return [] }
    do {
      let records = try await readable(type, ids)
      let entries = try await readable(TierEntry<R>.self, ids)
      try await store.apply(ChangeSet(deleting: records).merging(ChangeSet(deleting: entries)))
      state.withLock { state in state.change(type) { $0.owed.subtract(ids) } }
      return records
    } catch {
      note(error)
      return []
    }
  }

  /// Reads those records that can be read.
  private func readable<R: GraphRecord>(_ type: R.Type, _ ids: [R.ID]) async throws -> [R] {
    do {
      return try await store.fetch(type, ids: ids)
    } catch let partial as PartialAnswer<R> {
      return partial.records
    } catch KinshipError.damaged, KinshipError.untranslatable {
      return []
    }
  }

  /// Drops the copies that were used least recently, if there are too many: an eighth of what may
  /// be there at a time, since they must be put in order.
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

/// How much room a copy takes.
enum TierSize {
  /// The bytes of a record as the compact coder writes it; of one that is not `Codable`, those of
  /// its value alone.
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
