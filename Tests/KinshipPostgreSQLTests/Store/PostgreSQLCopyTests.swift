#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipTiers
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Copies to a server, from it, and between its databases.
  @Suite(.dedicatedThreads, .needsServer)
  struct PostgreSQLCopyTests {
    struct Badge: GraphRecord, Codable, Hashable {
      let id: String
      var weight: Double?
    }

    struct Visit: GraphRecord, Codable, Hashable {
      let id: UUID
      var note: String
    }

    struct Member: GraphRecord, Codable, Hashable {
      let id: Int
      var name: String
      var chief: Ref<Member>?
      var badges: [Ref<Badge>]
      static let relationships: Relationships<Member> = [.toOne(\.chief), .toMany(\.badges)]
    }

    private static let types: [any GraphRecord.Type] = [Badge.self, Visit.self, Member.self]

    private static let schema = """
      CREATE TABLE badge (id text PRIMARY KEY, weight float8);
      CREATE TABLE visit (id uuid PRIMARY KEY, note text NOT NULL);
      CREATE TABLE member (
        id bigint PRIMARY KEY, name text NOT NULL, chief bigint REFERENCES member DEFERRABLE);
      CREATE TABLE worn (
        member bigint NOT NULL, badge text NOT NULL REFERENCES badge, place bigint NOT NULL)
      """

    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try database.connect().execute(schema)
      return try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Badge>("badge"), PostgreSQLTable<Visit>("visit"),
        PostgreSQLTable<Member>(
          "member",
          lists: [
            .toMany(\.badges, through: "worn", from: "member", to: "badge", orderedBy: "place")
          ]))
    }

    /// The contents of a store.
    private struct Contents: Hashable {
      var badges: Set<Badge> = []
      var visits: Set<Visit> = []
      var members: Set<Member> = []

      init(of store: some BackingStore) async throws {
        badges = Set(try await store.fetch(RecordQuery<Badge>()))
        visits = Set(try await store.fetch(RecordQuery<Visit>()))
        members = Set(try await store.fetch(RecordQuery<Member>()))
      }

      /// Contents chosen by a seed.
      ///
      /// Some texts have different orders in databases, and some numbers are not valid in JSON.
      /// Chiefs come before their members.
      init(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let texts = [
          "", "a", "B", "É", "é", "z", "Z", "10", "9", "a b", "ab", "\u{1F33E}", "%", "'",
        ]
        badges = Set(
          texts.filter { _ in generator.chance(0.7) }.map { text in
            let weights: [Double?] = [nil, 0, -0.5, .infinity, 1e300]
            return Badge(id: text, weight: weights.randomElement(using: &generator) ?? nil)
          })
        visits = Set(
          (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
            let (high, low) = (generator.next(), generator.next())
            let id = withUnsafeBytes(of: (high, low)) {
              UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
            }
            return Visit(id: id, note: texts.randomElement(using: &generator) ?? "")
          })
        let ids = badges.map(\.id).sorted()
        members = Set(
          (0..<Int.random(in: 0..<12, using: &generator)).map { id in
            Member(
              id: id, name: texts.randomElement(using: &generator) ?? "",
              chief: id > 0 && generator.chance(0.6)
                ? Ref(Int.random(in: 0..<id, using: &generator)) : nil,
              badges: ids.filter { _ in generator.chance(0.2) }.map { Ref($0) })
          })
      }

      var insertions: ChangeSet {
        ChangeSet(inserting: Array(badges)).merging(ChangeSet(inserting: Array(visits)))
          .merging(ChangeSet(inserting: Array(members)))
      }

      var count: Int { badges.count + visits.count + members.count }
    }

    private struct Interruption: Error {}

    /// In batches of any size, interrupted and resumed, after others have written, and back.
    @Test func `a server is copied completely in batches of any size`() async throws {
      for seed in try Effort().seeds(8) {
        let contents = Contents(seed: seed)
        let memory = MemoryStore()
        try await memory.apply(contents.insertions)
        let batchSize = [1, 2, 5, 100, nil][Int(seed % 5)]
        let (first, second) = (try TestDatabase.make(), try TestDatabase.make())
        let server = try await Self.store(first)

        var kept: CopyProgress?
        do {
          var rest = Int(seed % 3)
          try await memory.copy(Self.types, to: server, batchSize: batchSize) { progress in
            kept = progress
            rest -= 1
            if rest < 0 { throw Interruption() }
          }
        } catch is Interruption {}
        let report = try await memory.copy(
          Self.types, to: server, batchSize: batchSize, after: batchSize == nil ? nil : kept)
        try verifyEqual(try await Contents(of: server), contents, "what is on the server")
        try verifyEqual(report.copied, contents.count, "how many were copied")

        // Another program, without Kinship.
        try first.connect().execute("UPDATE member SET name = 'changed'; DELETE FROM visit")
        let renamed = contents.members.filter { $0.name != "changed" }.count
        let again = try await memory.copy(Self.types, to: server, batchSize: batchSize)
        try verifyEqual(again.written, renamed + contents.visits.count, "how many were written")
        try verifyEqual(again.digests, report.digests, "the digests")

        let other = try await Self.store(second)
        let between = try await server.copy(Self.types, to: other, batchSize: batchSize)
        try verifyEqual(between.digests, report.digests, "the digests of another database")
        let back = MemoryStore()
        try await other.copy(Self.types, to: back, batchSize: batchSize)
        try verifyEqual(try await Contents(of: back), contents, "what has come back")
      }
    }

    /// Records that only the server has are named, and stay there.
    @Test func `a copy names records that only the server has`() async throws {
      let database = try TestDatabase.make()
      let server = try await Self.store(database)
      try database.connect().execute("INSERT INTO badge VALUES ('only here', NULL)")
      let error = await #expect(throws: KinshipError.self) {
        try await MemoryStore([Badge(id: "a")]).copy(Self.types, to: server)
      }
      guard case .copyDiffers("Badge", 1, 2, let records) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(records == [AnyRef(Ref<Badge>("only here"))])
    }

    /// Members whose chiefs come later need one commit.
    @Test func `a copy needs the targets of foreign keys first`() async throws {
      let database = try TestDatabase.make()
      let server = try await Self.store(database)
      let memory = MemoryStore([
        Member(id: 1, name: "a", chief: 2, badges: []), Member(id: 2, name: "b", badges: []),
      ])
      await #expect(throws: PostgreSQLError.self) {
        try await memory.copy([Member.self], to: server, batchSize: 1)
      }
      #expect(try await server.fetch(RecordQuery<Member>()).isEmpty)
      #expect(try await memory.copy([Member.self], to: server, batchSize: nil).written == 2)
    }
  }
#endif
