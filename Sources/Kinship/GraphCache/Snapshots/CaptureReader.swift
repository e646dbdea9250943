/// Reads a cache's state at a captured moment, in chunks, while writes continue.
///
/// It is valid only within the closure of ``GraphCache/capture(_:)``. Each call holds the lock
/// while it copies the records of a chunk.
///
/// Pending writes are not committed: their records and known-missing ids are left out.
struct CaptureReader: Sendable {
  /// The maximum number of records: those that are left out count.
  let count: Int
  /// The ids of named leases by name, each type once.
  let leases: [String: [IDs]]
  /// The positions in the followed store's log from which the capture must be brought up to date.
  let cursors: [StoreCursor]
  /// The followed answers to queries.
  let answers: [CapturedAnswer]
  private let cache: GraphCache
  private let moment: Stamp
  private let pending: Set<AnyRef>
  private var order = CapturedOrder(CapturedLinks())
  private var rank = 0
  /// The type whose known-missing ids are next.
  private var missingType = 0

  init(
    cache: GraphCache, count: Int, leases: [String: [IDs]], answers: [CapturedAnswer],
    cursors: [StoreCursor], moment: Stamp, pending: Set<AnyRef>
  ) {
    self.cache = cache
    self.count = count
    self.leases = leases
    self.cursors = cursors
    self.answers = answers.map { answer in
      var answer = answer
      answer.changed = cache.schema.type(answer.changed.type).adding(pending, to: answer.changed)
      return answer
    }
    self.moment = moment
    self.pending = pending
  }

  /// Copies the recency order, in chunks.
  mutating func takeOrder() throws(CancellationError) {
    var piece = 0
    while cache.state.withLock({ $0.map.recency.captureLinks(piece) }) {
      if Task.isCancelled { throw CancellationError() }
      piece += 1
    }
    order = CapturedOrder(cache.state.withLock { $0.map.recency.takeCapturedLinks() })
  }

  /// Returns the next records: leased ones first, then from the most to the least recently used.
  ///
  /// - Parameter limit: The maximum number; there may be fewer, and no more than a small chunk.
  /// - Returns: The records, a run for each of their types; `nil` after the last.
  /// - Complexity: O(*n*) in the limit. The first call is O(*n*) in all records if few are leased:
  ///   it searches for these, without the lock.
  mutating func next(limit: Int) -> [CapturedRun]? {
    var slots: [CapturedOrder.Element] = []
    while slots.count < min(max(1, limit), Chunk.small), let slot = order.next() {
      slots.append(slot)
    }
    if slots.isEmpty { return nil }
    let (firstRank, moment) = (rank, moment)
    rank += slots.count
    let runs = cache.state.withLock { [slots] state in
      state.map.takeCaptured(slots, firstRank: firstRank, at: moment)
    }
    if pending.isEmpty { return runs }
    return runs.map { cache.schema.type($0.type).committed($0, besides: pending) }
  }

  /// Returns the next known-missing ids, in no particular order.
  ///
  /// - Parameter limit: The maximum number; there may be fewer, even none, and no more than a small
  ///   chunk.
  /// - Returns: Ids of one type; `nil` after the last.
  mutating func nextMissing(limit: Int) -> IDs? {
    while missingType < cache.schema.types.count {
      let (type, limit) = (cache.schema.types[missingType], min(max(1, limit), Chunk.small))
      if let ids = cache.state.withLock({ $0.map.takeMissing(limit: limit, as: type) }) {
        return pending.isEmpty ? ids : type.committed(ids, besides: pending)
      }
      missingType += 1
    }
    return nil
  }
}

extension GraphRecord {
  /// Returns the records of a run without those that have a pending write.
  fileprivate static func committed(
    _ run: CapturedRun, besides pending: Set<AnyRef>
  ) -> CapturedRun {
    let records = checked(run.values, as: [Self].self)
    return keeping(run) { !pending.contains(AnyRef(records[$0].ref)) }
  }

  /// Returns ids and those of the type that have a pending write.
  fileprivate static func adding(_ pending: Set<AnyRef>, to ids: IDs) -> IDs {
    if pending.isEmpty { return ids }
    let others = pending.compactMap { $0.as(Self.self)?.id }
    return IDs(Array(Set(ids.of(Self.self) + others)), of: ids.type)
  }

  /// Returns ids without those that have a pending write.
  fileprivate static func committed(
    _ missing: IDs, besides pending: Set<AnyRef>
  ) -> IDs {
    IDs(
      missing.of(Self.self).filter { !pending.contains(AnyRef(Ref<Self>($0))) }, of: missing.type)
  }
}
