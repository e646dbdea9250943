import KinshipTesting
import KinshipTestSupport
import KinshipTestTraits
import KinshipTrials
import Testing

@testable import Kinship
@testable import KinshipFileStore

/// A file store reads no more records for a filter than necessary.
@Suite(.dedicatedThreads)
struct FileStoreFilterTests {
  struct Entry: GraphRecord, Codable, Equatable {
    let id: Int
    var number: Int
    var word: String?
  }

  @Test func `pages of a file store are found by their keys`() async throws {
    try await PagingTrial.check(seeds: 8) { samples in
      let schema = try GraphSchema(types: [Sample.self, Sample.Owner.self])
      let store = try await FileStore(in: SimulatedDisk(), at: "/store", schema: schema)
      try await store.apply(ChangeSet(inserting: samples))
      return GraphCache(schema: schema, store: store)
    }
  }

  /// Counts the records that it is evaluated for.
  private final class Trial: Sendable {
    private let tried = Lock(0)
    let isIncluded: @Sendable (Entry) -> Bool

    init(_ isIncluded: @escaping @Sendable (Entry) -> Bool) { self.isIncluded = isIncluded }

    var filter: RecordFilter<Entry> {
      RecordFilter { [self] entry in
        tried.withLock { $0 += 1 }
        return isIncluded(entry)
      }
    }

    func take() -> Int {
      tried.withLock { tried in
        defer { tried = 0 }
        return tried
      }
    }
  }

  @Test func `a limited query reads only the entries it needs`() async throws {
    let store = try await FileStore(
      in: SimulatedDisk(), at: "/store", schema: try GraphSchema(types: [Entry.self]))
    let entries = (0..<8_000).map { id in
      Entry(id: id, number: id * 7_919 % 8_000, word: id % 5 == 0 ? nil : "w\(id % 3)")
    }
    try await store.apply(ChangeSet(inserting: entries))
    let trial = Trial { $0.number % 2 == 0 }
    let byNumber = RecordQuery(trial.filter).sorted(by: \.number)
    let first = try await store.fetch(byNumber.limited(to: 20))
    #expect(first.map(\.number) == (0..<20).map { $0 * 2 })
    #expect(trial.take() == 512)
    #expect(try await store.fetch(byNumber.skipping(100).limited(to: 1)).map(\.number) == [200])
    #expect(trial.take() == 512)

    // A page far away is read like the first.
    let cache = try GraphCache(for: Entry.self, store: store)
    let all = RecordQuery<Entry>().sorted(by: \.word, .descending, nils: .first)
      .sorted(by: \.number)
    var page = try await cache.page(all, size: 2_000)
    while page.hasMore {
      page = try await cache.page(all, size: 2_000, after: page.end)
    }
    let rest = try all.skipping(6_000).answer(from: entries)
    #expect(page.records == rest)

    // The last match is the last of all.
    let last = Trial { $0.number == 7_999 }
    let found = try await store.fetch(RecordQuery(last.filter).sorted(by: \.number).limited(to: 1))
    #expect(found.map(\.number) == [7_999])
    #expect(last.take() == 1_024 + 8_000)
    #expect(try await store.count(RecordQuery(trial.filter)) == 4_000)
  }

  /// An order with nils elsewhere is another order.
  @Test func `nils are first or last as the query says`() async throws {
    let store = try await FileStore(
      in: SimulatedDisk(), at: "/store", schema: try GraphSchema(types: [Entry.self]))
    try await store.apply(
      ChangeSet(inserting: [
        Entry(id: 1, number: 1, word: nil), Entry(id: 2, number: 2, word: "a"),
      ]))
    for (nils, ids) in [(nil, [1, 2]), (.last, [2, 1]), (.first, [1, 2])]
      as [(SortTerm<Entry>.Nils?, [Int])]
    {
      let query = RecordQuery<Entry>().sorted(by: \.word, nils: nils)
      #expect(try await store.fetch(query).map(\.id) == ids)
    }
  }
}
