import Foundation
package import Kinship
import KinshipTesting
package import KinshipTestSupport

/// Reads the pages of a random query, forwards and backwards, with and without concurrent changes.
package struct PagingTrial: Command, CustomStringConvertible {
  let filter: RecordFilter<Sample>
  let order: SampleOrder
  let seed: UInt64
  let count: Int
  let size: Int
  let offset: Int
  let limit: Int?

  package init(using random: inout SplitMix64) {
    let smallest = Int.random(in: -12...6, using: &random)
    filter =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .all
      case 1: RecordFilter { $0.small > smallest }
      default: RecordFilter(#Predicate { $0.small > smallest })
      }
    order = SampleOrder(using: &random)
    seed = random.next()
    count = [0, 1, 5, 20, 70][Int.random(in: 0..<5, using: &random)]
    size = Int.random(in: 1...9, using: &random)
    let isCut = Int.random(in: 0..<3, using: &random) == 0
    offset = isCut ? Int.random(in: 0...4, using: &random) : 0
    limit = isCut ? Int.random(in: 0...30, using: &random) : nil
  }

  package static func random(using generator: inout SplitMix64) -> PagingTrial {
    PagingTrial(using: &generator)
  }

  private init(
    _ other: PagingTrial, order: SampleOrder? = nil, count: Int? = nil, isCut: Bool = true
  ) {
    filter = other.filter
    self.order = order ?? other.order
    seed = other.seed
    self.count = count ?? other.count
    size = other.size
    offset = isCut ? other.offset : 0
    limit = isCut ? other.limit : nil
  }

  package var shrunk: [PagingTrial] {
    order.shrunk.map { PagingTrial(self, order: $0) }
      + [count / 2, count - 1].filter { $0 >= 0 && $0 < count }
      .map { PagingTrial(self, count: $0) }
      + (limit == nil ? [] : [PagingTrial(self, isCut: false)])
  }

  package var description: String {
    "pages of \(size) of \(count) records by the seed \(seed), by [\(order)], "
      + "from \(offset) up to \(limit.map(String.init) ?? "all")"
  }

  var query: RecordQuery<Sample> {
    let query = order.sorting(RecordQuery(filter)).skipping(offset)
    return limit.map { query.limited(to: $0) } ?? query
  }

  /// Reads pages from a cache.
  ///
  /// - Parameter makeCache: Makes a cache over a store that holds records, or over none.
  /// - Throws: `Mismatch` if a page is wrong, and any error of the cache.
  package func run(on makeCache: @Sendable ([Sample]) async throws -> GraphCache) async throws {
    var random = SplitMix64(seed: seed)
    let samples = (0..<count).map { Sample(id: $0 * 3, &random).storable }
    let expected = try samples.filter(filter.matches).sorted(by: order.isBefore)
      .dropFirst(offset).prefix(limit ?? .max).map(\.id)
    let cache = try await makeCache(samples)
    try verifyEqual(try await cache.find(query).map(\.id), expected, "the answer")
    try await verifyPages(of: cache, equal: expected)
    try await verifyResults(of: cache, equal: expected, &random)
    try await readWhileRecordsChange(cache, samples, &random)
    try await readResultsWhileRecordsChange(try await makeCache(samples), samples, &random)
  }

  /// The cursor after encoding and decoding.
  private func sent(_ cursor: PageCursor<Sample>?) throws -> PageCursor<Sample>? {
    try JSONDecoder().decode(PageCursor<Sample>?.self, from: JSONEncoder().encode(cursor))
  }

  private func verifyPages(of cache: GraphCache, equal expected: [Int]) async throws {
    var page = try await cache.page(query, size: size)
    var found = page.records.map(\.id)
    while page.hasMore {
      try verifyEqual(page.records.count, size, "a page with one after it")
      let next = try await cache.page(query, size: size, after: sent(page.end))
      let back = try await cache.page(query, size: size, before: sent(next.start))
      try verifyEqual(back.records.map(\.id), page.records.map(\.id), "one page back")
      found += next.records.map(\.id)
      page = next
    }
    try verifyEqual(found, expected, "the pages, forwards")
    let beyond = try await cache.page(query, size: size, after: page.end)
    if page.end != nil { try verifyEqual(beyond.records.count, 0, "beyond the last page") }

    page = try await cache.page(query, size: size, before: nil)
    found = page.records.map(\.id)
    while page.hasMore {
      try verifyEqual(page.records.count, size, "a page with one before it")
      page = try await cache.page(query, size: size, before: sent(page.start))
      found = page.records.map(\.id) + found
    }
    try verifyEqual(found, expected, "the pages, backwards")
  }

  /// Inserts a record, or changes one, or both.
  ///
  /// - Returns: The changed record.
  func change(
    _ samples: [Sample], of cache: GraphCache, inserting next: Int, _ random: inout SplitMix64
  ) async throws -> Int? {
    let touched = samples.isEmpty ? 0 : samples[Int.random(in: 0..<count, using: &random)].id
    let (inserted, kind) = (Sample(id: next, &random).storable, random.next() % 3)
    // A record that is inserted or moved now may still be on a page, or not. By most filters, the
    // smallest record is no longer there.
    var moved = Sample(id: touched, &random).storable
    moved.small = .min
    try await cache.write { [moved, count] tx in
      if kind != 0 { try tx.insert(inserted) }
      if kind != 1, count > 0 { try tx.update(Ref<Sample>(touched)) { $0 = moved } }
    }
    return kind != 1 ? touched : nil
  }

  private func readWhileRecordsChange(
    _ cache: GraphCache, _ samples: [Sample], _ random: inout SplitMix64
  ) async throws {
    let query = order.sorting(RecordQuery(filter))
    var stays = Set(try samples.filter(filter.matches).map(\.id))
    let isForwards = Bool.random(using: &random)
    var found: [Sample] = []
    var next = count * 3 + 1
    var page =
      isForwards
      ? try await cache.page(query, size: size)
      : try await cache.page(query, size: size, before: nil)
    while true {
      found += isForwards ? page.records : page.records.reversed()
      guard page.hasMore else { break }
      if let touched = try await change(samples, of: cache, inserting: next, &random) {
        stays.remove(touched)
      }
      next += 1
      page =
        isForwards
        ? try await cache.page(query, size: size, after: sent(page.end))
        : try await cache.page(query, size: size, before: sent(page.start))
    }
    let ids = found.map(\.id)
    for id in stays {
      try verifyEqual(ids.filter { $0 == id }.count, 1, "how often \(id) comes, which stays")
    }
    for (first, second) in zip(found, found.dropFirst()) {
      let (first, second) = isForwards ? (first, second) : (second, first)
      try verify(order.isBefore(first, second), "\(first.id) comes before \(second.id)")
    }
  }
}

extension PagingTrial {
  /// Tries random queries.
  package static func check(
    seeds: Int, _ makeCache: @Sendable ([Sample]) async throws -> GraphCache
  ) async throws {
    _ = try await Property.checkEach(seeds: seeds, steps: 5, generate: PagingTrial.random) {
      try await $0.run(on: makeCache)
    }
  }
}
