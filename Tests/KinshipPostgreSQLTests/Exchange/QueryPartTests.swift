#if PostgreSQL && SQLite
  import Foundation
  import KinshipTestTraits
  import Testing

  @testable import Kinship
  @testable import KinshipStoreTestSupport

  /// A database answers the part of a query that SQL knows, and the cache finishes it.
  @Suite(.dedicatedThreads, .needsServer)
  struct QueryPartTests {
    private static let books = (0..<10_000).map {
      Book(id: $0, title: "Title \($0)", year: $0 % 2_000)
    }

    /// Calls a closure with a cache over each database.
    private func onEachDatabase(_ body: (GraphCache, any BackingStore) async throws -> Void)
      async throws
    {
      let database = try TestDatabase.make()
      for store in [try sqlite(":memory:"), try await postgreSQL(database.conninfo)] {
        try await store.apply(ChangeSet(inserting: Self.books))
        try await body(try GraphCache(for: Author.self, Book.self, store: store), store)
      }
    }

    /// Each page of 20 takes 21 records, and every third fulfils the closure.
    @Test func `five pages of a partly opaque filter read 315 of 10,000 rows`() async throws {
      let query = RecordQuery<Book>(#Predicate { $0.year >= 1_000 })
        .filtered(by: RecordFilter { $0.id % 3 == 0 }).sorted(by: \.id)
      let expected = try query.limited(to: 100).answer(from: Self.books).map(\.id)
      try await onEachDatabase { cache, store in
        guard case .part(let part) = store.support(for: query) else {
          Issue.record("The store does not leave the closure to the cache.")
          return
        }
        #expect("\(part.filter.condition)" == "year >= 1000")
        let trace = QueryTrace()
        let found = try await QueryTrace.$current.withValue(trace) {
          var page = try await cache.page(query, size: 20)
          var found = page.records
          for _ in 0..<4 {
            page = try await cache.page(query, size: 20, after: page.end)
            found += page.records
          }
          return found
        }
        #expect(found.map(\.id) == expected)
        #expect(trace.result.recordsLookedAt == 315)
        // A direct call finishes the query in the same batches.
        #expect(try await store.fetch(query.limited(to: 100)).map(\.id) == expected)
      }
    }

    /// SQL compares bytes, so Swift compares again: the store reads on only if records are lacking.
    @Test func `a page by texts reads no more rows than it shows`() async throws {
      let query = RecordQuery<Book>(#Predicate { $0.title > "Title 5" }).sorted(by: \.id)
        .limited(to: 20)
      try await onEachDatabase { cache, store in
        #expect(store.support(for: query).isWhole)
        let explanation = try await cache.explain(query)
        #expect(explanation.recordsFound == 20 && explanation.recordsLookedAt == 20)
        #expect(explanation.isFilteredByStore && explanation.storeCalls == 1)
      }
    }
  }
#endif
