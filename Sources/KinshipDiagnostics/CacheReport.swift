public import Kinship

/// A report on a cache at work: its contents, the cost of its work, and its observers and leases.
///
/// ```swift
/// let report = await cache.report()
/// print(report)
/// try report.html.write(to: url, atomically: true, encoding: .utf8)
/// ```
///
/// Only a traced cache knows durations: see `Tracing`. The report contains the names of types and
/// properties, and the ids in unplanned loads and observations, but no other values.
public struct CacheReport: Sendable, CustomStringConvertible {
  /// The totals for one kind of work on records of one type.
  public struct Work: Hashable, Sendable {
    /// The kind of work.
    public let kind: CacheWork.Kind
    /// The name of the record type; `nil` if the work concerned none or several.
    public let type: String?
    /// The number of pieces that are in progress at this moment.
    public let underway: Int
    /// The number of pieces that have ended, with any outcome.
    public let ended: Int
    /// The number of pieces that have failed.
    public let failed: Int
    /// The number of pieces that were cancelled.
    public let cancelled: Int
    /// The total number of records that was known when the work began.
    public let records: Int
    /// The total duration; work done at the same time counts separately.
    public let total: Duration
    /// The median duration, accurate to a sixteenth.
    public let median: Duration
    /// The duration that 99 of 100 did not exceed, accurate to a sixteenth.
    public let percentile99: Duration
    /// The longest duration.
    public let longest: Duration
  }

  /// A piece of work that took long.
  public struct LongWork: Hashable, Sendable {
    /// The work.
    public let work: CacheWork
    /// When it began, as time since the cache was created.
    public let start: Duration
    /// The time that it took.
    public let duration: Duration
    /// Whether it has failed.
    public let hasFailed: Bool
  }

  /// The reads up to a moment.
  public struct Reads: Hashable, Sendable {
    /// The time since the cache was created.
    public let time: Duration
    /// The number of requested records that were in memory.
    public let hits: Int
    /// The number of requested records that were not in memory.
    public let misses: Int
  }

  /// An observer.
  public struct Observer: Hashable, Sendable {
    /// The name of the record type; `nil` if it observes several.
    public let type: String?
    /// A short description of what it observes.
    public let title: String
    /// The number of times that it has checked for changes; 0 if the cache is not traced.
    public let looks: Int
    /// The total duration of these checks.
    public let total: Duration
    /// The longest duration.
    public let longest: Duration
  }

  /// A lease that has not ended.
  public struct Lease: Hashable, Sendable {
    /// The lease's name, if snapshots save it.
    public let name: String?
    /// The call that created it; `nil` for a lease of the cache itself, a transaction or an
    /// observer.
    public let caller: CallSite?
    /// The number of ids that it holds.
    public let count: Int
    /// The time for which it has been held; `nil` for a lease of the cache itself.
    public let age: Duration?
  }

  /// The time since the cache was created.
  public let elapsed: Duration
  /// Whether the cache records the duration of its work.
  public let isTraced: Bool
  /// The largest number of records in memory at rest.
  public let capacity: Int
  /// The largest sum of the records' costs in memory at rest.
  public let costLimit: Int
  /// The cache's statistics.
  public let statistics: GraphCache.Statistics
  /// The reads up to some moments, the last one that of the report; only that one if the cache is
  /// not traced.
  ///
  /// Before the report's, they are at most 256, at intervals that grow with the age of the cache.
  public let reads: [Reads]
  /// The work by kind and type, the longest total duration first.
  public let work: [Work]
  /// The ten longest pieces of work, the longest first.
  public let longest: [LongWork]
  /// Loads of single records that a plan could have included, if the cache is strict.
  public let unplannedLoads: [UnplannedLoad]
  /// The observers, the longest total duration first.
  public let observers: [Observer]
  /// The leases that have not ended, the largest first.
  public let leases: [Lease]
}

extension GraphCache {
  /// Creates a report on the cache's contents, the cost of its work, its observers and its leases.
  ///
  /// - Returns: The report: text through its description, a page through ``CacheReport/html``.
  /// - Complexity: O(*n*) in the record types, the observers and the leases.
  public func report() -> CacheReport {
    let (statistics, observers, leases) = outline()
    let noted = (recorder as? WorkRecorder)?.noted
    let elapsed = elapsed()
    let last = CacheReport.Reads(
      time: elapsed, hits: statistics.hits, misses: statistics.misses)
    return CacheReport(
      elapsed: elapsed, isTraced: recorder != nil, capacity: capacity, costLimit: costLimit,
      statistics: statistics,
      reads: (noted?.reads.samples ?? []) + [last],
      work: noted?.entries.map { CacheReport.Work($0, $1) }.sorted { $0.precedes($1) } ?? [],
      longest: noted?.longest ?? [],
      unplannedLoads: unplannedLoads,
      observers: observers.map { observer in
        let entry = noted?.observers.entries[observer.number]
        return CacheReport.Observer(
          type: observer.type, title: entry?.title ?? observer.title, looks: entry?.looks ?? 0,
          total: entry?.total ?? .zero, longest: entry?.longest ?? .zero)
      }.sorted { $0.total > $1.total },
      leases: leases.sorted { ($1.count, $0.number) < ($0.count, $1.number) }.map {
        CacheReport.Lease(
          name: $0.name, caller: $0.caller, count: $0.count,
          age: $0.since.map { max(.zero, elapsed - $0) })
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
    // A bucket's upper bound may exceed the longest duration.
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
  /// The hit rate between two moments.
  struct Rate: Hashable, Sendable {
    let start: Duration
    let end: Duration
    /// The rate; `nil` if nothing was requested.
    let share: Double?
  }

  /// Returns the hit rates from the beginning to the time of the report.
  ///
  /// - Returns: The intervals, in order.
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
