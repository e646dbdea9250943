import Kinship
import KinshipTestSupport

extension CacheBesideModel {
  /// Compares the entire state of the cache and the model.
  func verifyState(removalsAreOrdered: Bool) async throws {
    try verifyEqual(await cache.audit(), [], "the audit")
    for key in Key.all {
      switch key.kind {
      case .author: try verifyRecord(Author<ID>.self, key)
      case .work: try verifyRecord(Work<ID>.self, key)
      }
    }
    let coldest = await cache.coldest(.max)
    try verifyEqual(
      coldest, model.order.reversed().map { $0.ref(ID.self) }, "the order of use, coldest first")
    try verifyStatistics()
    try await verifyReport()
    let actual = log.take()
    let expected = model.removals.map { $0.words(ID.self) }
    try verifyEqual(
      removalsAreOrdered ? actual : actual.sorted(),
      removalsAreOrdered ? expected : expected.sorted(), "the removals heard")
  }

  private func verifyRecord<R: LibraryRecord>(_ type: R.Type, _ key: Key) throws {
    let ref = R.ref(key.number)
    let expected = model.records[key].map { R(key.number, $0) }
    try verifyEqual(cache.peek(ref), expected, "\(key) by peek")
    try verifyEqual(cache.contains(ref), expected != nil, "whether \(key) is in memory")
    let age = expected == nil ? nil : model.since[key].map { model.now - $0 }
    try verifyEqual(cache.age(of: ref), age.map { .milliseconds($0 * 100) }, "the age of \(key)")
  }

  private func verifyStatistics() throws {
    let statistics = cache.statistics
    let tally = model.tally
    try verifyEqual(statistics.count, model.records.count, "count")
    try verifyEqual(cache.count, model.records.count, "the cache's count")
    try verifyEqual(statistics.cost, model.cost, "cost")
    for (kind, type) in zip(Kind.allCases, statistics.types) {
      let ofKind = model.records.filter { $0.key.kind == kind }
      try verifyEqual(type.count, ofKind.count, "the count of \(type.name)")
      let cost = ofKind.values.reduce(0) { $0 + $1.effectiveCost }
      try verifyEqual(type.cost, cost, "the cost of \(type.name)")
    }
    try verifyEqual(statistics.hits, tally.hits, "hits")
    try verifyEqual(statistics.misses, tally.misses, "misses")
    try verifyEqual(statistics.loads, tally.loads, "loads")
    try verifyEqual(statistics.absences, tally.absences, "absences")
    try verifyEqual(statistics.batches, tally.batches, "store calls")
    try verifyEqual(statistics.queries, tally.queries, "queries")
    try verifyEqual(statistics.coalescedWaits, 0, "coalesced waits")
    try verifyEqual(
      statistics.evictions.byCount + statistics.evictions.byCost, tally.evictionsByLimit,
      "evictions by the limits")
    if model.costLimit == .max { try verifyEqual(statistics.evictions.byCost, 0, "by cost") }
    if model.capacity == .max { try verifyEqual(statistics.evictions.byCount, 0, "by count") }
    try verifyEqual(statistics.evictions.byTrim, tally.evictionsByTrim, "evictions by trim")
    try verifyEqual(statistics.evictions.byRequest, tally.evictionsByRequest, "by request")
    try verifyEqual(statistics.replacements, tally.replacements, "replacements")
    try verifyEqual(statistics.removals, tally.removals, "removals")
    try verifyEqual(statistics.invalidations, tally.invalidations, "invalidations")
    try verifyEqual(statistics.leases, leases.count, "leases")
    try verifyEqual(statistics.listeners, subscription == nil ? 0 : 1, "listeners")
    try verifyEqual(statistics.waiters, 0, "waiters at rest")
    try verifyEqual(statistics.batchesInFlight, 0, "batches at rest")
    try verifyEqual(statistics.traversals, 0, "traversals at rest")
  }
}
