import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

/// Pages of a query's answer.
@Suite(.dedicatedThreads, .tags(.lawQ2))
struct PageTests {
  /// A store that supports orders but not filters.
  struct Ordering: ForwardingStore {
    let base: any BackingStore

    func support<R: GraphRecord>(for query: RecordQuery<R>) -> QuerySupport<R> {
      query.support(filters: { _ in false }, starts: false)
    }
  }

  @Test func `pages from memory add up to the answer`() async throws {
    try await PagingTrial.check(seeds: 20) { samples in
      let cache = try GraphCache(for: Sample.self, Sample.Owner.self)
      try await cache.put(contentsOf: samples)
      return cache
    }
  }

  @Test(arguments: [true, false])
  func `pages from a store add up to the answer`(knowsFilters: Bool) async throws {
    try await PagingTrial.check(seeds: 20) { samples in
      let store = MemoryStore(samples)
      return try GraphCache(
        for: Sample.self, Sample.Owner.self,
        store: knowsFilters ? store : Ordering(base: store), capacity: 10)
    }
  }

  // MARK: Cursors

  struct Entry: GraphRecord, Equatable {
    struct Grade: Comparable, Sendable {
      let value: Int
      static func < (left: Grade, right: Grade) -> Bool { left.value < right.value }
    }

    let id: Int
    var name = "n"
    var grade: Grade { Grade(value: id) }
  }

  private func cache() async throws -> GraphCache {
    let cache = try GraphCache(for: Entry.self)
    try await cache.put(contentsOf: (0..<10).map { Entry(id: $0) })
    return cache
  }

  @Test func `a cursor of another query is rejected`() async throws {
    let cache = try await cache()
    let byName = RecordQuery<Entry>().sorted(by: \.name)
    let end = try await cache.page(byName, size: 2).end
    for other in [
      RecordQuery<Entry>(), byName.reversed, RecordQuery<Entry>().sorted(by: \.id),
      RecordQuery(#Predicate { $0.id > 3 }).sorted(by: \.name),
    ] {
      for isForwards in [true, false] {
        let error = await #expect(throws: KinshipError.self) {
          isForwards
            ? try await cache.page(other, size: 2, after: end)
            : try await cache.page(other, size: 2, before: end)
        }
        #expect(
          error?.description.hasPrefix("The cursor belongs to another query for Entry.") == true)
      }
    }
    let four = 4
    let filtered = RecordQuery<Entry>(#Predicate { $0.id > four }).sorted(by: \.name)
    let place = try await cache.page(filtered, size: 2).end
    let five = 5
    await #expect(throws: KinshipError.self) {
      let another = RecordQuery<Entry>(#Predicate { $0.id > five }).sorted(by: \.name)
      _ = try await cache.page(another, size: 2, after: place)
    }
    // The same query, created again, and one of another length.
    let again = RecordQuery<Entry>(#Predicate { $0.id > four }).sorted(by: \.name).limited(to: 3)
    let rest = try await cache.page(again, size: 2, after: place)
    #expect(rest.records.map(\.id) == [7] && !rest.hasMore)
  }

  /// Its meaning does not depend on the process.
  @Test func `a cursor is encoded as text`() async throws {
    let byName = RecordQuery<Entry>().sorted(by: \.name)
    let end = try await cache().page(byName, size: 2).end
    let text = try String(decoding: JSONEncoder().encode(end), as: UTF8.self)
    #expect(text == #""yx133j0NddTVnvwCywDLB0DLAkCBQG7LAMsEQMsBAQ""#)
  }

  @Test func `a text that is not a cursor is rejected`() async throws {
    let cache = try await cache()
    let byName = RecordQuery<Entry>().sorted(by: \.name)
    let end = try #require(try await cache.page(byName, size: 2).end)
    let text = Array(try JSONEncoder().encode(end))
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      var changed = text
      let index = Int.random(in: 1..<changed.count - 1, using: &random)
      changed[index] = UInt8.random(in: 0x20..<0x7f, using: &random)
      if Bool.random(using: &random) { changed.remove(at: index) }
      // It is rejected, or names a place.
      guard let cursor = try? JSONDecoder().decode(PageCursor<Entry>.self, from: Data(changed))
      else {
        continue
      }
      do {
        _ = try await cache.page(byName, size: 2, after: cursor)
      } catch KinshipError.misuse(.foreignCursor) {}
    }
  }

  @Test func `a sort property of a paged query must be Codable`() async throws {
    let cache = try await cache()
    let error = await #expect(throws: KinshipError.self) {
      try await cache.page(RecordQuery<Entry>().sorted(by: \.grade), size: 2)
    }
    guard case .invalidSchema(.notCodable)? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }
}
