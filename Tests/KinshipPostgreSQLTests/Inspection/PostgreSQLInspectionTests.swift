#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipInspection
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport

  /// An inspection without the types equals the records that a program with the types finds.
  @Suite(.dedicatedThreads, .needsServer)
  struct PostgreSQLInspectionTests {
    private static let contents = """
      INSERT INTO shelf VALUES (1, 'One', NULL), (2, 'Two', 1), (3, 'Three', NULL);
      INSERT INTO book VALUES ('a', 'A', 0, 1), ('b', NULL, 1, 1), ('c', 'C', 0, 2);
      INSERT INTO copy VALUES ('a', 7, 'new'), ('c', -7, NULL);
      INSERT INTO "the tags'" VALUES (\(Library.uuid(1)), 'x'), (\(Library.uuid(2)), 'y');
      INSERT INTO "shelf-tag" VALUES (1, \(Library.uuid(1)), 0), (1, \(Library.uuid(2)), 1);
      """

    private static func library(isTracked: Bool = false) async throws -> TestDatabase {
      let database = try TestDatabase.make()
      try database.connect().execute(Library.schema + contents)
      if isTracked {
        let store = try await Library.store(database.conninfo)
        try await store.execute(store.trackingSQL)
      }
      return database
    }

    private func inspect(_ database: TestDatabase, all: Bool = true) throws -> Inspection {
      try PostgreSQLInspection.read(database.conninfo, named: "here", readsAll: all)
    }

    private func facts(_ inspection: Inspection) throws -> DatabaseFacts {
      guard case .database(let facts) = inspection.kind else {
        throw KinshipError.file(.foreign(path: inspection.path))
      }
      return facts
    }

    private func values(_ inspection: Inspection) throws -> [String: [FieldValue: FieldValue]] {
      var found: [String: [FieldValue: FieldValue]] = [:]
      for record in inspection.records {
        let id = record.id ?? .integer(Int128(record.offset))
        found[record.type.name, default: [:]][id] = try record.value()
      }
      return found
    }

    @Test func `rows become records by their primary keys`() async throws {
      let database = try await Self.library()
      let inspection = try inspect(database)
      #expect(inspection.damage.isEmpty, "\(inspection.damage)")
      let found = try values(inspection)
      #expect(inspection.types.map(\.id.name) == found.keys.sorted())
      #expect(inspection.types.allSatisfy { $0.bytes > 0 && $0.count > 0 })
      #expect(found["book"]?.keys.count == 3 && found["book"]?["b"]?.fields?["title"] == nil)
      #expect(found["book"]?["c"]?.fields?.names == ["isbn", "place", "shelf", "title"])
      #expect(found["copy"]?[["c", -7]]?.fields?["number"] == -7)
      #expect(found["the tags'"]?[.uuid(Library.tag(2))]?.fields?["name"] == "y")
      #expect(found["shelf-tag"]?.count == 2)
      #expect(
        Set(inspection.refs) == [
          InspectedRef(type: "shelf", property: ["parent"], target: "shelf"),
          InspectedRef(type: "book", property: ["shelf"], target: "shelf"),
          InspectedRef(type: "copy", property: ["book"], target: "book"),
          InspectedRef(type: "shelf-tag", property: ["shelf"], target: "shelf"),
          InspectedRef(type: "shelf-tag", property: ["tag id"], target: "the tags'"),
        ])
      let facts = try facts(inspection)
      #expect(facts.system.hasPrefix("PostgreSQL 1") && facts.bytes > 0 && facts.log == nil)
      withExtendedLifetime(database) {}
    }

    /// More rows than a page has, in another order than by id.
    @Test func `rows of many pages are read`() async throws {
      let database = try await Self.library()
      try database.connect().execute(
        """
        CREATE SCHEMA other; CREATE TABLE other.many (id int PRIMARY KEY, text text);
        INSERT INTO other.many SELECT n * 7 % 5003, repeat('x', n % 300) FROM
          generate_series(1, 5000) n;
        DELETE FROM other.many WHERE id % 10 = 0; UPDATE other.many SET text = text || 'y'
          WHERE id % 3 = 0
        """)
      let found = try values(try inspect(database))["other.many"] ?? [:]
      let rows = try database.connect().query("SELECT id::int8, text FROM other.many")
      #expect(rows.count > 4_000 && found.count == rows.count)
      for row in 0..<rows.count {
        let cells = PostgreSQLCells(rows, row: row)
        let id = FieldValue.integer(Int128(cells.integer(at: 0) ?? 0))
        #expect(found[id]?.fields?["text"]?.text == cells.text(at: 1))
      }
    }

    @Test func `values are read by their types`() async throws {
      let database = try await Self.library()
      try database.connect().execute(
        """
        CREATE TYPE colour AS ENUM ('red', 'blue'); CREATE DOMAIN age AS int;
        CREATE TABLE kinds (id bigint PRIMARY KEY, bool bool, real float8, numeric numeric,
          long numeric, text varchar(9), uuid uuid, bytes bytea, day date, at timestamptz,
          span int4range, json jsonb, list int[], grid int[], names text[], colour colour, age age,
          address inet, nothing int);
        INSERT INTO kinds VALUES (9223372036854775807, true, 0.1, 12.50,
          1234567890123456789012345678901234567890.5, 'a''b',
          '00000000-0000-0000-0000-0000000000ff', '\\x00ff', 'infinity', '2026-11-25 12:00+01',
          '[1,5)', '{"a": [1]}', '{1,NULL,3}', '{{1,2},{3,4}}', '{a,"b c"}', 'blue', 42,
          '::1', NULL)
        """)
      let fields = try values(try inspect(database))["kinds"]?[.integer(Int128(Int64.max))]?.fields
      let expected: [String: FieldValue] = [
        "id": .integer(Int128(Int64.max)), "bool": true, "real": 0.1,
        "numeric": .decimal(Decimal(string: "12.5") ?? 0),
        "long": .text("1234567890123456789012345678901234567890.5"), "text": "a'b",
        "uuid": .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255))),
        "bytes": .data(Data([0, 255])), "day": "infinity", "at": "2026-11-25 11:00:00+00",
        "span": "[1,5)", "json": #"{"a": [1]}"#, "list": [1, .null, 3], "names": ["a", "b c"],
        "colour": "blue", "age": 42, "address": "::1/128",
      ]
      for (name, value) in expected {
        #expect(fields?[name] == value, "\(name) is \(fields?[name] as Any)")
      }
      #expect(Set(fields?.names ?? []) == Set(expected.keys))
      withExtendedLifetime(database) {}
    }

    @Test func `broken foreign keys are found`() async throws {
      let database = try await Self.library()
      try database.connect().execute(
        """
        SET session_replication_role = replica;
        INSERT INTO copy VALUES ('z', 1, NULL); UPDATE book SET shelf = 9 WHERE isbn = 'b'
        """)
      let damage = try inspect(database).damage
      #expect(
        Set(damage.map { "\($0.type ?? "") \($0.id.map { "\($0)" } ?? ""): \($0.cause)" }) == [
          "copy [z, 1]: book leads to a record of book, which does not exist",
          "book b: shelf leads to a record of shelf, which does not exist",
        ])
      #expect(try inspect(database, all: false).damage.isEmpty)
    }

    @Test func `a complete log lacks no trigger`() async throws {
      let database = try await Self.library(isTracked: true)
      try database.connect().execute("UPDATE book SET title = 'new' WHERE isbn = 'a'")
      let inspection = try inspect(database)
      let log = try #require(try facts(inspection).log)
      #expect(log.lacking == [] && inspection.damage.isEmpty && log.changes.lowerBound > 0)
      #expect(
        Set(log.tracked) == [
          "Shelf in shelf", "Book in book", "Copy in copy", #"it's a "tag" in the tags'"#,
          "Witness in witness", "Shelf in book", "Shelf in shelf-tag",
        ])
    }

    /// Any trigger that is missing, disabled or incomplete is named.
    @Test func `a missing or changed trigger is named`() async throws {
      let database = try await Self.library(isTracked: true)
      let other = try database.connect()
      func lacking() throws -> [String] { try facts(try inspect(database)).log?.lacking ?? [] }
      for event in TrackingSQL.Event.allCases {
        for table in ["shelf", "book", "witness"] {
          let name = "\(event.trigger) on \(table)"
          try other.execute("ALTER TABLE \(table) DISABLE TRIGGER \(event.trigger)")
          #expect(try lacking() == [name])
          try other.execute("ALTER TABLE \(table) ENABLE TRIGGER \(event.trigger)")
        }
      }
      let rows = try other.query(
        """
        SELECT pg_get_functiondef(tgfoid) FROM pg_trigger
        WHERE tgrelid = 'book'::regclass AND tgname = 'kinship_insert'
        """
      )
      let function = try #require(PostgreSQLCells(rows).text(at: 0))
      func change(_ text: String, to new: String) throws {
        // The first part is for insertions.
        try other.execute(function.replacing(text, with: new, maxReplacements: 1))
      }
      try change(#"concat(k."isbn")"#, to: #"concat(k."title")"#)
      #expect(try lacking() == ["kinship_insert on book, of Book"])
      try change("SELECT 'Shelf', CASE", to: "SELECT 'Other', CASE")
      #expect(
        Set(try lacking()) == [
          "kinship_insert on book, of Shelf", "kinship_update on book, of Other",
          "kinship_delete on book, of Other", "kinship_truncate on book, of Other",
        ])
      try other.execute(function + ";DROP TRIGGER kinship_delete ON witness")
      #expect(try lacking() == ["kinship_delete on witness"])
      #expect(try inspect(database).damage.count == 1)
    }

    /// A commit made meanwhile is not visible yet.
    @Test func `an inspection shows one moment while others write`() async throws {
      let database = try await Self.library()
      let other = try database.connect()
      try other.execute("INSERT INTO shelf VALUES (10, NULL, NULL), (11, NULL, NULL)")
      let before = try inspect(database, all: false)
      try other.execute(
        "DELETE FROM shelf WHERE id >= 10; UPDATE book SET title = 'new' WHERE isbn = 'a'")
      try other.execute("VACUUM")
      #expect(try values(before)["shelf"]?.count == 5)
      #expect(try values(before)["book"]?["a"]?.fields?["title"] == "A")
      let after = try values(try inspect(database))
      #expect(after["shelf"]?.count == 3 && after["book"]?["a"]?.fields?["title"] == "new")
      withExtendedLifetime(database) {}
    }

    @Test func `an unreachable server is named without its password`() throws {
      let conninfo = "host=/no/such/socket dbname=music password=s3cret"
      let error = #expect(throws: KinshipError.self) {
        try PostgreSQLInspection.read(conninfo, named: "here", readsAll: false)
      }
      guard case .file(.failed("here", let cause as PostgreSQLError))? = error else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(cause.isConnectionLoss && !"\(cause)".contains("s3cret"))
    }
  }
#endif
