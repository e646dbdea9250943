#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Properties of all types, in columns of PostgreSQL's matching types.
  @Suite(.dedicatedThreads, .needsServer)
  struct ColumnTypesTests {
    enum Mood: String, Codable { case glad, sad }

    struct Part: Codable, Equatable {
      var name: String
      var weight: Double?
      var made: Date
    }

    struct Sample: GraphRecord, Codable, Equatable {
      let id: UUID
      var small: Int16
      var large: Int
      var flag: Bool?
      var rough: Float
      var amount: Decimal
      var mood: Mood
      var at: Date
      var day: Date?
      var data: Data
      var part: Part
      var tags: [String]
      var name: String
      var link: URL?
      var other: Ref<Sample>?

      static let relationships: Relationships<Sample> = [.toOne(\.other)]
    }

    private static let schema = """
      CREATE TYPE mood AS ENUM ('sad', 'glad');
      CREATE DOMAIN label AS varchar(40) CHECK (VALUE <> 'forbidden');
      CREATE TABLE sample (
        id uuid PRIMARY KEY, small smallint NOT NULL, large bigint NOT NULL, flag boolean,
        rough real NOT NULL, amount numeric(20, 4) NOT NULL, mood mood NOT NULL,
        at timestamptz NOT NULL, day date, data bytea NOT NULL, part jsonb NOT NULL,
        tags json NOT NULL, name label NOT NULL, link text, other uuid REFERENCES sample,
        span int4range DEFAULT '[1,2)', made int GENERATED ALWAYS AS (large % 7) STORED);
      """

    private static func sample(using generator: inout SplitMix64) -> Sample {
      func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
      let day = Double(number(20_000) - 10_000) * 86_400
      return Sample(
        id: UUID(), small: [.min, .max, 0, Int16(number(100))][number(4)],
        large: [.min, .max, 0, number(1_000)][number(4)],
        flag: [nil, true, false][number(3)], rough: [0.1, -.infinity, 1e-30][number(3)],
        amount: Decimal(number(1_000_000)) / 10_000, mood: number(2) == 0 ? .glad : .sad,
        at: Date(timeIntervalSinceReferenceDate: day + Double(number(1_000)) / 1_000),
        day: number(3) == 0 ? nil : Date(timeIntervalSinceReferenceDate: day),
        data: Data((0..<number(40)).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
        part: Part(
          name: ["", "a \"b\"", "ü\u{1}"][number(3)], weight: [nil, 0.1][number(2)],
          made: Date(timeIntervalSinceReferenceDate: day)),
        tags: (0..<number(4)).map { "tag \($0)'\"\\" },
        name: ["", "a", "B", "ä", "a?b", "$1"][number(6)],
        link: number(2) == 0 ? nil : URL(string: "https://example.org/a?b=c"))
    }

    @Test func `a property without a column is refused when the store is opened`() async throws {
      struct Person: GraphRecord, Codable {
        let id: Int
        var birthday: Int?
      }
      let database = try TestDatabase.make()
      try database.connect().execute(
        "CREATE TABLE person (id int PRIMARY KEY, born int); INSERT INTO person VALUES (1)")
      await #expect(throws: SQLMappingError.noColumnForProperty("birthday", table: "person")) {
        _ = try await PostgreSQLStore(database.conninfo, PostgreSQLTable<Person>("person"))
      }
    }

    /// Rows beyond the size of a statement are copied, with the columns and refusals of all others.
    @Test func `many rows are written as few are`() async throws {
      struct Entry: GraphRecord, Codable, Equatable {
        let id: Int
        var name: String?
        var weight: Double
        var at: Date
      }
      let database = try TestDatabase.make()
      let connection = try database.connect()
      try connection.execute(
        """
        CREATE TABLE entry (
          id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text UNIQUE,
          weight float8 NOT NULL, at timestamptz NOT NULL,
          twice float8 GENERATED ALWAYS AS (weight * 2) STORED, more int DEFAULT 7);
        CREATE VIEW entries AS SELECT id, name, weight, at FROM entry;
        """)
      let all = (0..<20_000).map { id in
        let number = Double(id)
        return Entry(
          id: id, name: id % 3 == 0 ? nil : "ä\t\\ \(id)", weight: number / 7,
          at: Date(timeIntervalSinceReferenceDate: number / 4))
      }
      for table in ["entry", "entries"] {
        try connection.execute("TRUNCATE entry")
        let store = try await PostgreSQLStore(
          database.conninfo, PostgreSQLTable<Entry>(table))
        let cache = try GraphCache(for: Entry.self, store: store)
        try await cache.write { tx in for entry in all { try tx.insert(entry) } }
        let stored = try await store.fetch(Entry.self, ids: all.map(\.id))
        let isSame = stored.sorted { $0.id < $1.id } == all
        #expect(isSame)
        #expect(
          try connection.query("SELECT 1 FROM entry WHERE more = 7 AND twice = weight * 2").count
            == all.count)
        // One of them exists: nothing is inserted.
        let others = (19_999..<40_000).map { Entry(id: $0, name: nil, weight: 1, at: .now) }
        do {
          try await store.apply(ChangeSet(inserting: others))
          Issue.record("they are inserted")
        } catch KinshipError.exists(let ref) {
          #expect(ref == AnyRef(Ref<Entry>(19_999)))
        }
        #expect(try connection.query("SELECT 1 FROM entry").count == all.count)
      }
    }

    @Test func `values are read and found as they were written`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute(Self.schema)
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Sample>("sample"))
      var generator = SplitMix64(seed: 7)
      var samples = (0..<60).map { _ in Self.sample(using: &generator) }
      for index in samples.indices.dropFirst() { samples[index].other = samples[index - 1].ref }

      let cache = try GraphCache(for: Sample.self, store: store)
      let first = samples
      try await cache.write { tx in for sample in first { try tx.insert(sample) } }
      try await verify(samples, store)

      // Each property alone, and then the record as a whole.
      for index in samples.indices {
        let ref = samples[index].ref
        let new = Self.sample(using: &generator)
        samples[index].amount = new.amount
        samples[index].mood = new.mood
        samples[index].day = new.day
        samples[index].tags = new.tags
        samples[index].part.weight = new.part.weight
        let changed = samples[index]
        try await cache.write { tx in
          try tx.update(ref, \.amount, to: changed.amount)
          try tx.update(ref, \.mood, to: changed.mood)
          try tx.update(ref, \.day, to: changed.day)
          try tx.update(ref) {
            $0.tags = changed.tags
            $0.part.weight = changed.part.weight
          }
        }
      }
      try await verify(samples, store)

      // The database's other columns are unchanged.
      let rows = try database.connect().query(
        "SELECT count(*) FROM sample WHERE span = '[1,2)' AND made = large % 7")
      #expect(PostgreSQLCells(rows).integer(at: 0) == 60)

      // A value that the database refuses changes nothing, and no error contains it.
      let forbidden = samples[0].ref
      let error = await #expect(throws: KinshipError.self) {
        try await cache.write { tx in try tx.update(forbidden, \.name, to: "forbidden") }
      }
      #expect(error.map { "\($0)" }?.contains("forbidden") == false)
      try await verify(samples, store)
    }

    /// A memory store with the same records gives the same answers.
    private func verify(_ samples: [Sample], _ store: PostgreSQLStore) async throws {
      let model = MemoryStore(samples)
      let stored = try await store.fetch(Sample.self, ids: samples.map(\.id))
      #expect(
        Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
          == Dictionary(uniqueKeysWithValues: samples.map { ($0.id, $0) }))
      let moment = samples[20].at
      let queries: [RecordQuery<Sample>] = [
        RecordQuery(#Predicate { $0.small < 50 && $0.name != "a" }),
        RecordQuery(#Predicate { $0.large >= 0 || $0.flag == true }),
        RecordQuery(#Predicate { $0.flag != true }),
        RecordQuery(#Predicate { $0.name.contains("a") }),
        RecordQuery(#Predicate { $0.link == nil }),
        RecordQuery(#Predicate { $0.at < moment }),
        RecordQuery(#Predicate { ["a", "ä", "$1"].contains($0.name) }),
      ]
      for (number, query) in queries.enumerated() {
        let (found, expected) = (try await store.fetch(query), try await model.fetch(query))
        #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "query \(number)")
        #expect(try await store.count(query) == expected.count, "query \(number)")
      }
      for query in [
        RecordQuery<Sample>().sorted(by: \.at).sorted(by: \.id),
        RecordQuery<Sample>().sorted(by: \.name).sorted(by: \.large, .descending)
          .sorted(by: \.id),
      ] {
        #expect(try await store.fetch(query) == (try await model.fetch(query)))
      }
    }
  }
#endif
