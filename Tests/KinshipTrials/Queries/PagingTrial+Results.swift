import Kinship
import KinshipTesting
import KinshipTestSupport

/// The same answers, read by position and as a whole.
extension PagingTrial {
  func verifyResults(
    of cache: GraphCache, equal expected: [Int], _ random: inout SplitMix64
  ) async throws {
    let results = try await results(of: cache, &random)
    try verifyEqual(results.count, expected.count, "the count of the results")
    func id(at index: Int) -> Int? { expected.indices.contains(index) ? expected[index] : nil }
    var index = 0
    for _ in 0..<30 {
      index =
        random.next() % 4 == 0
        ? Int.random(in: -2...expected.count + 2, using: &random)
        : index + Int.random(in: -2...2, using: &random)
      if let peeked = results.peek(index) {
        try verifyEqual(peeked.id, id(at: index), "what is kept of position \(index)")
      }
      try verifyEqual(try await results[index]?.id, id(at: index), "position \(index)")
    }
    try verifyEqual(try await Self.all(of: results).map(\.id), expected, "the results in order")

    try await withThrowingTaskGroup(of: Void.self) { group in
      for reader in 0..<4 {
        var random = SplitMix64(seed: SplitMix64.subseed(UInt64(reader), of: seed))
        group.addTask {
          for _ in 0..<8 {
            let index = Int.random(in: 0...expected.count, using: &random)
            let wanted = expected.indices.contains(index) ? expected[index] : nil
            try verifyEqual(try await results[index]?.id, wanted, "\(index), read among others")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func results(
    of cache: GraphCache, _ random: inout SplitMix64
  ) async throws -> QueryResults<Sample> {
    try await cache.results(
      query, windowSize: size, windowCapacity: Int.random(in: 2...6, using: &random),
      readAhead: Int.random(in: 0...size, using: &random))
  }

  private static func all(of results: QueryResults<Sample>) async throws -> [Sample] {
    var all: [Sample] = []
    for try await sample in results { all.append(sample) }
    return all
  }

  func readResultsWhileRecordsChange(
    _ cache: GraphCache, _ samples: [Sample], _ random: inout SplitMix64
  ) async throws {
    var stays = Set(try samples.filter(filter.matches).map(\.id))
    var next = count * 3 + 1
    func change(_ random: inout SplitMix64) async throws {
      if random.next() % 3 > 0 { return }
      if let id = try await self.change(samples, of: cache, inserting: next, &random) {
        stays.remove(id)
      }
      next += 1
    }
    let results = try await results(of: cache, &random)
    // From the front to the end, and back.
    for indices in [Array(0..<results.count), (0..<results.count).reversed()] {
      var found: [Sample] = []
      for index in indices {
        if let sample = try await results[index] { found.append(sample) }
        try await change(&random)
      }
      if found.isEmpty { continue }
      if indices.first != 0 { found.reverse() }
      try verifyOrder(of: found, "by position")
      // On the way back from the end, more records may come before the first position than before.
      guard offset == 0, limit == nil else { continue }
      let ids = Set(found.map(\.id))
      for sample in samples where stays.contains(sample.id) {
        guard order.isBefore(found[0], sample), order.isBefore(sample, found[found.count - 1])
        else { continue }
        try verify(ids.contains(sample.id), "\(sample.id) is left out, which stays")
      }
    }
    // Here and there: adjacent records must be consistent.
    for _ in 0..<20 where results.count > 0 {
      _ = try await results[Int.random(in: 0..<results.count, using: &random)]
      try await change(&random)
    }
    try verifyOrder(of: (0..<results.count).compactMap { results.peek($0) }, "what is kept")

    // All at once.
    var found: [Sample] = []
    for try await sample in results {
      found.append(sample)
      try await change(&random)
      if found.count > 3 * count + 50 { break }
    }
    try verifyOrder(of: found, "in order")
    if offset == 0, limit == nil {
      let ids = Set(found.map(\.id))
      for id in stays { try verify(ids.contains(id), "\(id) is left out, which stays") }
    }

    try await results.refresh()
    let expected = try await cache.find(query).map(\.id)
    try verifyEqual(results.count, expected.count, "the new count")
    for index in expected.indices.shuffled(using: &random).prefix(20) {
      try verifyEqual(
        try await results[index]?.id, expected[index], "position \(index) when it is read again")
    }
  }

  /// One after another, without duplicates.
  private func verifyOrder(of found: [Sample], _ what: String) throws {
    for (first, second) in zip(found, found.dropFirst()) {
      try verify(order.isBefore(first, second), "\(what): \(first.id) comes before \(second.id)")
    }
  }
}
