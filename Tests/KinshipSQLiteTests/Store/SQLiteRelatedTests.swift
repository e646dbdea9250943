#if SQLite
  import Foundation
  import Kinship
  import KinshipTesting
  import KinshipTestSupport
  import KinshipTestTraits
  import KinshipTrials
  import Testing

  @testable import KinshipSQLite

  /// Queries across relationships have the answers of plain arrays.
  @Suite(.dedicatedThreads)
  struct SQLiteRelatedTests {
    /// One list of each type is in a join table, and the others are in a column.
    private static func makeStore(_ insertions: ChangeSet) async throws -> SQLiteStore {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Member>(
          "member",
          lists: [
            .toMany(\.friends, through: "friend", from: "of", to: "friend", orderedBy: "place")
          ]),
        SQLiteTable<Club>(
          "club",
          lists: [
            .toMany(\.members, through: "membership", from: "of", to: "one", orderedBy: "place")
          ]),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE member (id INTEGER PRIMARY KEY, rank INTEGER, name TEXT, boss INTEGER,
              best INTEGER, club TEXT COLLATE NOCASE, clubs TEXT);
            CREATE TABLE club (id TEXT PRIMARY KEY, rank INTEGER, head INTEGER, deputy INTEGER);
            CREATE TABLE friend (of INTEGER, friend INTEGER, place INTEGER);
            CREATE TABLE membership (of TEXT, one INTEGER, place INTEGER);
            CREATE INDEX byBoss ON member(boss);
            CREATE INDEX byFriend ON friend(friend);
            """))
      try await store.apply(insertions)
      return store
    }

    @Test func `a database matches related records as an array does`() async throws {
      try await RelatedTrials.check(seeds: 8) { try await Self.makeStore($0.insertions) }
    }

    private static func member(_ id: Int, boss: Int?) -> Member {
      Member(
        id: id, rank: id % 10, boss: boss.map { Ref($0) }, best: Ref(id), friends: [], clubs: [])
    }

    /// More ids than a statement has parameters, and no more rows are read than needed.
    @Test func `a condition may have a hundred thousand related records`() async throws {
      let count = 100_000
      var members = (0..<count).map { Self.member($0, boss: nil) }
      members += (0..<20).map { Self.member(count + $0, boss: $0 * 5_000) }
      members += (0..<20).map { Self.member(count + 20 + $0, boss: count + $0) }
      members[7].friends = [3, 3]
      let insertions = ChangeSet(inserting: members).merging(
        ChangeSet(
          inserting: (0..<1_000).map { number in
            Club(id: "\"\\\n\(number)", rank: number, head: Ref(number), members: [])
          }))
      let store = try await Self.makeStore(insertions)
      let cache = try GraphCache(for: Member.self, Club.self, store: store)
      let start = store.statistics.rowsRead

      // A list of 100,000 ids restricts the members.
      let many = RecordQuery<Member>(#Predicate { $0.id < 100_000 })
      let led = try await cache.find(RecordQuery<Member>(.where(\.boss, in: many)).sorted(by: \.id))
      #expect(led.map(\.id) == Array(count..<count + 20))
      #expect(store.statistics.rowsRead - start == 20)

      let others = RecordQuery<Member>(!.where(\.boss, in: many) && !.where(\.best, in: many))
      #expect(try await cache.find(others.count) == 20)
      let notLed = RecordQuery<Member>(!.where(\.boss, in: many))
      #expect(try await cache.find(notLed.count) == count + 20)
      let friendly = RecordQuery<Member>(.where(\.friends, contain: many))
      #expect(try await cache.find(friendly.refs) == [7])
      let lonely = RecordQuery<Member>(.where(\.friends, isEmpty: true))
      #expect(try await cache.find(lonely.count) == count + 39)
      let leading = RecordQuery<Member>(.where(referredToBy: \Member.boss, isEmpty: false))
      #expect(try await cache.find(leading.count) == 40)
      #expect(store.statistics.rowsRead - start == 20)

      // Texts that JSON must escape.
      let clubs = RecordQuery<Club>(.where(referredToBy: \Member.club, isEmpty: true))
      #expect(try await cache.find(clubs.count) == 1_000)
      try await cache.write { tx in
        for number in 0..<600 {
          try tx.update(Ref<Member>(number), \.club, to: Ref("\"\\\n\(number)"))
        }
      }
      #expect(try await cache.find(clubs.count) == 400)
      let inClubs = RecordQuery<Member>(
        .where(\.club, in: RecordQuery<Club>(#Predicate { $0.rank >= 300 })))
      #expect(try await cache.find(inClubs.count) == 300)
    }
  }
#endif
