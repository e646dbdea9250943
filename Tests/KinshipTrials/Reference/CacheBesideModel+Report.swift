import Kinship
import KinshipDiagnostics
import KinshipTesting
import KinshipTestSupport

extension CacheBesideModel {
  /// Compares the cache's report of its work with the traced work, and with the calls of the store.
  func verifyReport() async throws {
    let report = await cache.report()
    try verifyEqual(report.statistics, cache.statistics, "what is reported to be counted")
    try verifyEqual(
      report.leases.map(\.count).sorted(), leases.map(\.keys.count).sorted(), "the leases' sizes")
    try verifyEqual(report.isTraced, tracer != nil, "whether the cache is traced")
    guard let tracer else { return try verifyEqual(report.work, [], "work that is not kept") }
    var counts: [CacheWork.Kind: WorkCounter.Count] = [:]
    for work in report.work {
      try verifyEqual(work.underway, 0, "\(work.kind) at rest")
      counts[work.kind, default: WorkCounter.Count()].ended += work.ended
      counts[work.kind, default: WorkCounter.Count()].failed += work.failed
    }
    try verifyEqual(counts, tracer.counts, "the work that is told and kept")
    for (kind, call) in [(CacheWork.Kind.fetch, StoreCall.Kind.fetch), (.query, .query)] {
      try verifyEqual(
        counts[kind]?.ended ?? 0, refusing.calls.count { $0.kind == call }, "calls to \(kind)")
    }
    let last = report.reads.last
    try verifyEqual(last?.hits, report.statistics.hits, "hits in the end")
    try verifyEqual(last?.misses, report.statistics.misses, "misses in the end")
  }
}

/// Counts the traced work of a cache.
final class WorkCounter: CacheTracer {
  struct Count: Hashable, Sendable {
    var ended = 0
    var failed = 0
  }

  private let state = Lock<[CacheWork.Kind: Count]>([:])

  var counts: [CacheWork.Kind: Count] { state.withLock { $0 } }

  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    do {
      let value = try await body()
      state.withLock { $0[work.kind, default: Count()].ended += 1 }
      return value
    } catch {
      state.withLock { counts in
        counts[work.kind, default: Count()].ended += 1
        if !(error is CancellationError) { counts[work.kind, default: Count()].failed += 1 }
      }
      throw error
    }
  }
}
