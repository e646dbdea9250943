#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  struct ListTests {
    struct Box<ID: Hashable & Sendable & Codable>: GraphRecord, Codable {
      let id: ID
      var inner: [Ref<Box>] = []

      static var recordName: String { "Box" }
      static var relationships: Relationships<Box> { [.toMany(\.inner)] }
    }

    struct Code: RawRepresentable, Hashable, Codable, Sendable {
      let rawValue: String
    }

    /// Boxes in boxes: the join table refers to one table twice.
    private func verify<ID: Hashable & Sendable & Codable>(
      _ ids: [ID], _ formats: SQLFormats = SQLFormats()
    ) async throws {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Box<ID>>(
          "box",
          lists: [.toMany(\.inner, through: "inner", from: "box", to: "x", orderedBy: "place")],
          formats: formats),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE box (id PRIMARY KEY, x); CREATE TABLE \"inner\" (box, x, place)"))
      let cache = try GraphCache(for: Box<ID>.self, store: store)
      try await cache.write { tx in
        for id in ids { try tx.insert(Box(id: id)) }
        try tx.update(Ref<Box<ID>>(ids[0]), \.inner, to: ids.reversed().map { Ref<Box<ID>>($0) })
      }
      let fetched = try await store.fetch(Box<ID>.self, ids: [ids[0]])
      #expect(fetched.first?.inner == ids.reversed().map { Ref<Box<ID>>($0) })
      let referrers = try await store.referrers(
        to: [Ref<Box<ID>>(ids[1])], by: RecordRelationship<Box<ID>>(\Box<ID>.inner))
      #expect(referrers.map(\.id) == [ids[0]])
    }

    @Test func `lists of integers are read as they were written`() async throws {
      try await verify([0, .min, -1, .max])
    }

    @Test func `lists of texts are read as they were written`() async throws {
      try await verify([
        "", "a\"b\\c", "tab\t nl\n cr\r \u{8}\u{c}\u{1f}", "nul\0l", "👩‍👩‍👧é", "12", "t", "b00",
        String(repeating: "long", count: 10_000),
      ])
    }

    @Test(arguments: [SQLFormats(uuids: .text), SQLFormats(uuids: .blob)])
    func `lists of UUIDs are read as they were written`(formats: SQLFormats) async throws {
      try await verify((0..<5).map { _ in UUID() }, formats)
    }

    @Test func `lists of raw values are read as they were written`() async throws {
      try await verify(["x", "", "12"].map(Code.init(rawValue:)))
    }

    @Test func `lists of data are read as they were written`() async throws {
      try await verify([Data(), Data([0]), Data([255, 16])])
    }

    private func isKept(
      _ owner: String, _ target: String, _ columns: String,
      _ list: SQLList<Box<String>>
    ) async throws -> Bool {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Box<String>>("box", lists: [list]),
        configuration: SQLiteConfiguration(setup: columns))
      try await store.apply(
        ChangeSet(inserting: [Box(id: target)] + (owner == target ? [] : [Box(id: owner)])))
      let cache = try GraphCache(for: Box<String>.self, store: store)
      do {
        try await cache.write { tx in
          try tx.update(Ref<Box<String>>(owner), \.inner, to: [Ref<Box<String>>(target)])
        }
      } catch KinshipError.untranslatable(let type, let id, let field, let cause) {
        #expect(type == "Box")
        #expect(id as? String == owner)
        #expect(field == "inner")
        #expect("\(cause)".contains("declare it TEXT"))
        return false
      }
      let fetched = try await store.fetch(Box<String>.self, ids: [owner])
      #expect(fetched.first?.inner == [Ref<Box<String>>(target)])
      return true
    }

    @Test func `ids that the columns of a list would change are refused`() async throws {
      let join = SQLList<Box<String>>.toMany(\.inner, through: "inner", from: "box", to: "x")
      let foreign = SQLList<Box<String>>.toMany(
        \.inner, table: "box", foreignKey: "outer", key: "id")
      for declared in ["", "TEXT", "BLOB", "INTEGER", "NUMERIC", "REAL", "DATE"] {
        let changes = !["", "TEXT", "BLOB"].contains(declared)
        let box = "CREATE TABLE box (id TEXT PRIMARY KEY, \"outer\" \(declared));"
        let targets = "\(box) CREATE TABLE \"inner\" (box TEXT, x \(declared))"
        let owners = "\(box) CREATE TABLE \"inner\" (box \(declared), x TEXT)"
        #expect(try await isKept("a", "01", targets, join) != changes, "\(declared)")
        #expect(try await isKept("1e2", "b", owners, join) != changes, "\(declared)")
        #expect(try await isKept("01", "b", box, foreign) != changes, "\(declared)")
        #expect(try await isKept("a", "b", targets, join), "\(declared)")
        #expect(try await isKept("a", "b", owners, join), "\(declared)")
        #expect(try await isKept("a", "01", box, foreign), "\(declared)")
      }
    }

    @Test func `a column of targets may have a name that needs quotes`() async throws {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Box<Int>>(
          "box", lists: [.toMany(\.inner, through: "inner", from: "box", to: "to x")]),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE box (id INTEGER PRIMARY KEY); CREATE TABLE "inner" (box, "to x");
            INSERT INTO box VALUES (1), (2), (3); INSERT INTO "inner" VALUES (1, 2), (3, 1)
            """))
      let relationship = RecordRelationship<Box<Int>>(\.inner)
      let targets: [Ref<Box<Int>>] = [2]
      #expect(try await store.referrers(to: targets, by: relationship).map(\.id) == [1])
      let cache = try GraphCache(for: Box<Int>.self, store: store)
      try await cache.write { tx in try tx.update(Ref<Box<Int>>(2), \.inner, to: [3, 2]) }
      let referrers = try await store.referrers(to: targets, by: relationship)
      #expect(Set(referrers.map(\.id)) == [1, 2])
    }

    @Test func `an element of the wrong kind is named`() async throws {
      let store = try SQLiteStore(
        at: ":memory:",
        SQLiteTable<Box<Int>>(
          "box", lists: [.toMany(\.inner, through: "inner", from: "box", to: "x")]),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE box (id INTEGER PRIMARY KEY); CREATE TABLE "inner" (box, x);
            INSERT INTO box VALUES (1), (2), (3);
            INSERT INTO "inner" VALUES (1, 5), (1, NULL), (2, 'five'), (3, 1.5)
            """))
      #expect(try await store.fetch(Box<Int>.self, ids: [1]).first?.inner == [5])
      for id in [2, 3] {
        await #expect {
          try await store.fetch(Box<Int>.self, ids: [id])
        } throws: { error in
          guard case KinshipError.untranslatable("Box", let found, "inner", _) = error else {
            return false
          }
          return found as? Int == id
        }
      }
    }
  }
#endif
