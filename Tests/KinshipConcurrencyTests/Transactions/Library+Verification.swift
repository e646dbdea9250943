import KinshipTestSupport

@testable import Kinship
@testable import KinshipTrials

extension Library {
  /// Memory and store equal a world, and nothing is in flight.
  func verify(_ world: [Key: Entry]) async throws {
    for key in Key.all {
      let expected = world[key]?.normalized(key.kind)
      if store == nil {
        try verifyEqual(inMemory[key], expected, "\(key) in memory")
      } else {
        try verifyEqual(stored[key], expected, "\(key) in the store")
        if let entry = inMemory[key] { try verifyEqual(entry, expected, "\(key) in memory") }
        try KinshipTestSupport.verify(
          !(isMissing(key) && expected != nil), "\(key) is said to be missing")
      }
    }
    try await verifyRest()
  }

  func isMissing(_ key: Key) -> Bool {
    cache.state.withLock { state in
      switch key.kind {
      case .author: state.map.isMissing(key.number, as: Author<Int>.self)
      case .work: state.map.isMissing(key.number, as: Work<Int>.self)
      }
    }
  }

  /// No task waits, and nothing is held.
  func verifyRest() async throws {
    try verifyEqual(await cache.audit(), [], "the audit")
    let statistics = cache.statistics
    try verifyEqual(statistics.waiters, 0, "waiters")
    try verifyEqual(statistics.leases, 0, "leases")
    try verifyEqual(statistics.traversals, 0, "traversals")
    try verifyEqual(cache.turns.count, 0, "turns")
    try verifyEqual(await cache.coldest(.max).count, statistics.count, "what is not claimed")
  }

  /// No batch runs any longer either.
  func verifyIdle() async throws {
    try await verifyRest()
    try verifyEqual(cache.statistics.batchesInFlight, 0, "batches in flight")
    try verifyEqual(store?.inFlight ?? 0, 0, "calls in flight")
  }
}
