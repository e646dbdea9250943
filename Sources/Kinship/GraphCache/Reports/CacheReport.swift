/// A cache at work, on one page: what it holds, what its work has taken, and who keeps it busy.
///
/// ```swift
/// let report = await cache.report()
/// print(report)
/// try report.html.write(to: url, atomically: true, encoding: .utf8)
/// ```
///
/// What took how long is known of a cache that is traced: see ``Tracing``. It holds names of types
/// and properties, ids in unplanned loads and in what is observed, and no other values.
public struct CacheReport: Sendable, CustomStringConvertible {
  /// What work of one kind has taken, about records of one type.
  public struct Work: Hashable, Sendable {
    /// What kind of work it is.
    public let kind: CacheWork.Kind
    /// The name of the record type; `nil` if it was about none, or about several.
    public let type: String?
    /// How often it is under way at this moment.
    public let underway: Int
    /// How often it has ended, in whatever way.
    public let ended: Int
    /// How often it has failed.
    public let failed: Int
    /// How often it was cancelled.
    public let cancelled: Int
    /// How many records it was about, all in all, as far as that was known when it began.
    public let records: Int
    /// How long it took, all in all: what was done at the same time counts as often.
    public let total: Duration
    /// How long it took at most in half of the cases, to a sixteenth.
    public let median: Duration
    /// How long it took at most in 99 of 100 cases, to a sixteenth.
    public let percentile99: Duration
    /// How long it took at most.
    public let longest: Duration
  }

  /// One piece of work that took long.
  public struct LongWork: Hashable, Sendable {
    /// The work.
    public let work: CacheWork
    /// When it began, since the cache was made.
    public let start: Duration
    /// How long it took.
    public let duration: Duration
    /// Whether it has failed.
    public let hasFailed: Bool
  }

  /// What was read until some moment.
  public struct Reads: Hashable, Sendable {
    /// The time since the cache was made.
    public let time: Duration
    /// Records that were asked for and in memory.
    public let hits: Int
    /// Records that were asked for and not in memory.
    public let misses: Int
  }

  /// Somebody who observes.
  public struct Observer: Hashable, Sendable {
    /// The name of the record type; `nil` if it is about several.
    public let type: String?
    /// What is observed, in a few words.
    public let title: String
    /// How often it has looked at what had changed; 0 if the cache is not traced.
    public let looks: Int
    /// How long that took, all in all.
    public let total: Duration
    /// How long it took at most.
    public let longest: Duration
  }

  /// A lease that has not ended.
  public struct Lease: Hashable, Sendable {
    /// Its name, if a snapshot keeps it.
    public let name: String?
    /// Who has asked for it; `nil` for the cache itself, for a transaction or an observer.
    public let caller: CallSite?
    /// How many ids it holds.
    public let count: Int
    /// How long somebody has held it; `nil` for the cache itself.
    public let age: Duration?
  }

  /// How long ago the cache was made.
  public let elapsed: Duration
  /// Whether the cache keeps account of what its work takes.
  public let isTraced: Bool
  /// The largest number of records in memory at rest.
  public let capacity: Int
  /// The largest sum of their costs.
  public let costLimit: Int
  /// What the cache has counted.
  public let statistics: GraphCache.Statistics
  /// What was read until some moments, the last of which is that of the report; if the cache is not
  /// traced, that alone.
  public let reads: [Reads]
  /// What its work has taken, what took longest in all first.
  public let work: [Work]
  /// The ten pieces of work that took longest, the longest first.
  public let longest: [LongWork]
  /// What was loaded by itself though a plan would have brought it along, if the cache is strict.
  public let unplannedLoads: [UnplannedLoad]
  /// Who observes, what took longest in all first.
  public let observers: [Observer]
  /// The leases that have not ended, the largest first.
  public let leases: [Lease]
}

extension GraphCache {
  /// What the cache holds, what its work has taken, and who keeps it busy.
  ///
  /// - Returns: The report. It is a text by its description, and a page by ``CacheReport/html``.
  /// - Complexity: O(*n*) in the record types, the observers and the leases.
  public func report() -> CacheReport {
    let (statistics, interests, holders) = state.withLock { state in
      (Statistics(state, schema), state.observers.outlines, state.leases.holders)
    }
    let noted = recorder?.noted
    let elapsed = elapsed()
    let last = CacheReport.Reads(
      time: elapsed, hits: statistics.hits, misses: statistics.misses)
    let samples = noted?.reads.samples ?? []
    return CacheReport(
      elapsed: elapsed, isTraced: recorder != nil, capacity: capacity, costLimit: costLimit,
      statistics: statistics,
      reads: samples.map {
        CacheReport.Reads(time: $0.time, hits: $0.hits, misses: $0.misses)
      } + [last],
      work: noted?.entries.map { CacheReport.Work($0, $1) }.sorted { $0.precedes($1) } ?? [],
      longest: noted?.longest.map { piece in
        CacheReport.LongWork(
          work: piece.work, start: piece.start, duration: piece.duration,
          hasFailed: piece.hasFailed)
      } ?? [],
      unplannedLoads: unplannedLoads,
      observers: interests.sorted { $0.number < $1.number }.map { interest in
        let entry = noted?.observers.entries[interest.number]
        return CacheReport.Observer(
          type: interest.type.map { schema.entries[$0.index].name },
          title: entry?.title ?? interest.title, looks: entry?.looks ?? 0,
          total: entry?.total ?? .zero, longest: entry?.longest ?? .zero)
      }.sorted { $0.total > $1.total },
      leases: holders.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
        CacheReport.Lease(
          name: $1.name, caller: $1.caller, count: $1.count,
          age: $1.since.map { max(.zero, elapsed - $0) })
      })
  }
}

extension CacheReport.Work {
  fileprivate init(_ key: WorkLog.Key, _ entry: WorkLog.Entry) {
    kind = key.kind
    type = key.type
    underway = entry.underway
    ended = entry.ended
    failed = entry.failed
    cancelled = entry.cancelled
    records = entry.records
    total = entry.total
    // A bucket may end after the longest.
    median = min(entry.histogram.quantile(0.5), entry.longest)
    percentile99 = min(entry.histogram.quantile(0.99), entry.longest)
    longest = entry.longest
  }

  fileprivate func precedes(_ other: Self) -> Bool {
    if total != other.total { return total > other.total }
    return (kind.rawValue, type ?? "") < (other.kind.rawValue, other.type ?? "")
  }
}

extension CacheReport {
  /// The share of hits between two moments.
  struct Rate: Hashable, Sendable {
    let start: Duration
    let end: Duration
    /// `nil` if nothing was asked for.
    let share: Double?
  }

  /// The share of hits from the beginning to the moment of the report.
  ///
  /// - Parameter count: How many parts of the time are told apart at most.
  /// - Returns: The parts, in order.
  func hitRates(atMost count: Int) -> [Rate] {
    let step = max(1, (reads.count + count - 1) / count)
    let ends = reads.enumerated().filter {
      ($0.offset + 1) % step == 0 || $0.offset == reads.count - 1
    }.map(\.element)
    var last = Reads(time: .zero, hits: 0, misses: 0)
    return ends.map { next in
      defer { last = next }
      let (hits, misses) = (next.hits - last.hits, next.misses - last.misses)
      return Rate(
        start: last.time, end: next.time,
        share: hits + misses == 0 ? nil : Double(hits) / Double(hits + misses))
    }
  }
}
