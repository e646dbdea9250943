import KinshipTestSupport

@testable import Kinship

/// The contents of a capture, piece by piece.
struct CapturedContents: Sendable {
  var batches: [[CapturedRun]] = []
  var missing: [IDs] = []
  var leases: [String: [IDs]] = [:]
  let cursors: [StoreCursor]

  /// Reads a capture to its end.
  ///
  /// - Parameters:
  ///   - reader: The capture.
  ///   - limit: The number of entries to read at a time.
  ///   - batches: The batches read before.
  init(_ reader: inout CaptureReader, limit: Int = 256, after batches: [[CapturedRun]] = []) {
    self.batches = batches
    leases = reader.leases
    cursors = reader.cursors
    while let runs = reader.next(limit: limit) { self.batches.append(runs) }
    while let ids = reader.nextMissing(limit: limit) { missing.append(ids) }
  }

  init(of cache: GraphCache, limit: Int = 256) async throws {
    self = try await cache.capture { CapturedContents(&$0, limit: limit) }
  }

  /// The records of a type, with their ranks and ages, by rank.
  func records<R: GraphRecord>(_ type: R.Type) -> [(rank: Int, record: R, age: Duration)] {
    batches.joined().flatMap { run in
      zip(run.values as? [R] ?? [], zip(run.ranks, run.ages)).map { ($1.0, $0, $1.1.duration) }
    }.sorted { $0.rank < $1.rank }
  }

  /// The ids of a type that were known to be missing.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - number: Its number in the schema.
  /// - Returns: The ids.
  func missingIDs<R: GraphRecord>(_ type: R.Type, number: Int) -> Set<R.ID> {
    Set(missing.filter { $0.type == TypeNumber(number) }.flatMap { $0.of(type) })
  }

  /// Restores everything into a cache.
  func restore(
    into cache: GraphCache, after elapsed: Duration = .zero
  ) async throws -> (outcome: RestoreOutcome, leases: [String: GraphCache.Lease]) {
    try await cache.restoring(since: cursors) {
      var sum = RestoreOutcome()
      let leases = Dictionary(
        uniqueKeysWithValues: self.leases.map { ($0, cache.lease(on: $1, named: $0)) })
      for batch in self.batches where !sum.isFull {
        let outcome = await cache.restore(batch, after: elapsed)
        sum.restored += outcome.restored
        sum.isFull = outcome.isFull
      }
      for ids in self.missing { await cache.restore(missing: ids) }
      return (sum, leases)
    }
  }
}
