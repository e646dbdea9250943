#if SQLite
  import Foundation
  import Kinship
  import KinshipTestSupport
  import Testing

  @testable import KinshipSQLite

  /// Counts and aggregates of rows, without translating them to records.
  struct SQLiteStoreCountingTests {
    typealias Person = SQLiteStoreFilterTests.Person

    @Test func `SQL aggregates without reading records`() async throws {
      let people = SQLiteStoreFilterTests.people
      let store = try await SQLiteStoreFilterTests.makePeople()
      let cache = try GraphCache(for: Person.self, store: store)
      let old = RecordQuery<Person>(#Predicate { $0.id > 20 && $0.isKnown }).sorted(by: \.id)
      #expect(try await cache.find(old.refs) == (11...20).map { Ref($0 * 2) })
      #expect(try await cache.find(old.skipping(2).limited(to: 3).refs) == [26, 28, 30])
      #expect(try await cache.find(old.skipping(9).exists))
      #expect(try await !cache.find(old.skipping(10).exists))
      #expect(try await cache.find(old.skipping(2).limited(to: 3).count) == 3)
      #expect(try await cache.find(old.grouped(by: \.father).count) == [2: 4, 3: 5, 4: 1])
      #expect(
        try await cache.find(old.limited(to: 6).grouped(by: \.father).count) == [2: 4, 3: 2])
      #expect(try await cache.find(RecordQuery<Person>().grouped(by: \.age).count)[nil] == 10)
      #expect(
        try await cache.find(RecordQuery<Person>().sum(of: \Person.height))
          == people.reduce(0) { $0 + $1.height })
      #expect(store.statistics.rowsRead == 0)
      // Numbers have their order in SQL, and so have dates stored as numbers.
      #expect(
        try await cache.find(RecordQuery<Person>().maximum(of: \Person.born)) == people.last?.born)
      #expect(try await cache.find(old.minimum(of: \.age)) == 22)
      #expect(try await cache.find(old.maximum(of: \.height)) == 20)
      #expect(store.statistics.rowsRead == 3)
      // SQL cannot evaluate a closure.
      let odd = RecordQuery(RecordFilter<Person> { $0.id % 2 == 1 }).sorted(by: \.id)
      #expect(try await cache.find(odd.refs).count == 20)
      #expect(try await cache.find(odd.grouped(by: \.isKnown).count) == [false: 20])
      #expect(store.statistics.rowsRead == 83)
      // Nor a property without a column.
      #expect(try await cache.find(RecordQuery<Person>().maximum(of: \Person.name.count)) == 3)
      #expect(cache.count == 0)
    }

    struct Note: GraphRecord, Codable, Equatable {
      struct ID: Hashable, Codable {
        let book: String
        let page: Int
      }
      struct Place: Codable, Hashable {
        var line: Int
        var column: Int
      }
      enum Kind: String, Codable, Comparable {
        case low, high

        static func < (left: Kind, right: Kind) -> Bool { left == .low && right == .high }
      }

      let id: ID
      var time: Date
      var kind: Kind
      var weight: Double
      var place: Place?
    }

    private static func makeNotes(_ rows: String) async throws -> (SQLiteStore, GraphCache) {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Note>(
          "note", id: .columns((\.book, "book"), (\.page, "page")),
          formats: SQLFormats(dates: .text)),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE note (page INTEGER, time TEXT COLLATE NOCASE, kind TEXT, weight,
              place TEXT, book TEXT, PRIMARY KEY (book, page));
            INSERT INTO note (book, page, time, kind, weight, place) VALUES \(rows);
            """))
      return (store, try GraphCache(for: Note.self, store: store))
    }

    private static let rows = """
      ('a', 1, '2009-01-31', 'low', 1, '{"line":1,"column":2}'),
      ('a', 2, '2009-01-31T00:00', 'high', 1.0, '{"column": 2, "line": 1}'),
      ('b', 1, '2009-01-31 01:00:00+01:00', 'low', 2, NULL),
      ('b', 2, '2009-01-30 23:00:00.5', 'low', -0.0, NULL)
      """

    /// The key is the property's value, in any stored form.
    @Test func `grouping compares values as they are read`() async throws {
      let (store, cache) = try await Self.makeNotes(Self.rows)
      let all = RecordQuery<Note>()
      let midnight = try #require(try await cache.find(RecordQuery<Note>().maximum(of: \Note.time)))
      #expect(midnight.timeIntervalSince1970 == 1_233_360_000)
      #expect(
        try await cache.find(all.grouped(by: \.time).count)
          == [midnight: 3, midnight.addingTimeInterval(-3599.5): 1])
      #expect(
        try await cache.find(all.grouped(by: \.place).count) == [
          .init(line: 1, column: 2): 2, nil: 2,
        ])
      // Dates stored as text are not in their order.
      #expect(store.statistics.rowsRead == 4)
      // As text, high comes before low.
      #expect(try await cache.find(RecordQuery<Note>().minimum(of: \Note.kind)) == .low)
      #expect(try await cache.find(all.grouped(by: \.id).count).count == 4)
      #expect(store.statistics.rowsRead == 8)
      #expect(
        try await cache.find(all.sorted(by: \.kind).refs).suffix(3).map(\.id.book) == [
          "b", "b", "a",
        ])
      #expect(store.statistics.rowsRead == 12)
      // In SQL, 1 and 1.0 are one value of two types, so the records are read.
      #expect(try await cache.find(all.grouped(by: \.weight).count) == [1: 2, 2: 1, 0: 1])
      #expect(store.statistics.rowsRead == 16)
    }

    /// A row that is not a record counts if the query needs none of its unreadable values.
    @Test func `an unreadable value is an error only if it is requested`() async throws {
      let (_, cache) = try await Self.makeNotes(
        Self.rows + ", ('c', 1, 'noon', 'low', 1, NULL), ('c', NULL, 'noon', 'low', 1, NULL)")
      let all = RecordQuery<Note>()
      #expect(try await cache.find(all.grouped(by: \.kind).count) == [.low: 5, .high: 1])
      await #expect {
        _ = try await cache.find(all.grouped(by: \.time).count)
      } throws: { error in
        guard case KinshipError.fetchFailed(_, _, let cause) = error else { return false }
        return (cause as? PartialAnswer<Note>)?.failures.count == 2
      }
      await #expect {
        _ = try await cache.find(all.refs)
      } throws: { error in
        guard case KinshipError.fetchFailed = error else { return false }
        return true
      }
      let (_, readable) = try await Self.makeNotes(Self.rows + ", ('c', 1, 'noon', 'low', 1, NULL)")
      #expect(try await readable.find(all.refs).count == 5)
    }
  }
#endif
