#if SQLite
  import Foundation
  import Kinship
  import KinshipInspection
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import KinshipSQLite
  @testable import KinshipStoreTestSupport

  /// An inspection without the types equals the records that a program with the types finds.
  @Suite(.dedicatedThreads)
  struct SQLiteInspectionTests {
    private static let contents = """
      INSERT INTO shelf VALUES (1, 'One', NULL), (2, 'Two', 1), (3, 'Three', NULL);
      INSERT INTO book VALUES ('a', 'A', 0, 1), ('b', NULL, 1, 1), ('c', 'C', 0, 2);
      INSERT INTO copy VALUES ('a', 7, 'new'), ('c', -7, NULL);
      INSERT INTO "the tags'" VALUES (\(Archive.blob(1)), 'x'), (\(Archive.blob(2)), 'y');
      INSERT INTO "shelf-tag" VALUES (1, \(Archive.blob(1)), 0),
        (1, \(Archive.blob(2)), 1);
      """

    private static func library(_ sql: String...) async throws -> TemporaryDatabase {
      let database = TemporaryDatabase()
      let store = try Archive.store(at: database.path)
      for sql in [contents] + sql { try await store.execute(sql) }
      await store.close()
      return database
    }

    private static func tracked() async throws -> TemporaryDatabase {
      let database = try await library()
      let store = try Archive.store(at: database.path)
      try await store.installTracking()
      await store.close()
      return database
    }

    private func log(_ path: String) throws -> DatabaseFacts.Log? {
      let inspection = try SQLiteInspection.read(path, readsAll: true)
      guard case .database(let facts) = inspection.kind else { return nil }
      #expect(inspection.damage.count == facts.log?.lacking.count ?? 0, "\(inspection.damage)")
      return facts.log
    }

    @Test func `rows become records by their primary keys`() async throws {
      let database = try await Self.library()
      let inspection = try SQLiteInspection.read(database.path, readsAll: true)
      #expect(inspection.damage.isEmpty, "\(inspection.damage)")
      var found: [String: [FieldValue: FieldValue]] = [:]
      for record in inspection.records {
        found[record.type.name, default: [:]][try #require(record.id)] = try record.value()
      }
      #expect(inspection.types.map(\.id.name) == found.keys.sorted())
      #expect(found["book"]?.keys.count == 3 && found["book"]?["b"]?.fields?["title"] == nil)
      #expect(found["book"]?["c"]?.fields?.names == ["isbn", "place", "shelf", "title"])
      #expect(found["copy"]?[["c", -7]]?.fields?["number"] == -7)
      #expect(found["shelf-tag"]?[2]?.fields?["place"] == 1)
      let id = FieldValue.data(Data([UInt8](repeating: 0, count: 15) + [2]))
      #expect(found["the tags'"]?[id]?.fields?["name"] == "y")
      #expect(
        Set(inspection.refs) == [
          InspectedRef(type: "shelf", property: ["parent"], target: "shelf"),
          InspectedRef(type: "book", property: ["shelf"], target: "shelf"),
          InspectedRef(type: "copy", property: ["book"], target: "book"),
          InspectedRef(type: "shelf-tag", property: ["shelf"], target: "shelf"),
          InspectedRef(type: "shelf-tag", property: ["tag id"], target: "the tags'"),
        ])
    }

    @Test func `a complete log lacks no trigger`() async throws {
      let untracked = try await Self.library()
      #expect(try log(untracked.path) == nil)
      let database = try await Self.tracked()
      let log = try #require(try log(database.path))
      #expect(log.lacking == [])
      #expect(
        Set(log.tracked) == [
          "Shelf in shelf", "Book in book", "Copy in copy", #"it's a "tag" in the tags'"#,
          "Witness in witness", "Shelf.books in book", "Shelf.children in shelf",
          "Shelf.tags in shelf-tag",
        ])
    }

    /// Any missing or changed trigger is named.
    @Test func `a missing or changed trigger is named`() async throws {
      let database = try await Self.tracked()
      let other = try OtherConnection(database.path)
      let connection = try Connection(database.path, flags: 1, tally: Tally())
      let triggers = try connection.rows(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
      #expect(triggers.count > 25)
      for row in triggers {
        let (name, sql) = (try #require(row[0].text), try #require(row[1].text))
        try other.execute("DROP TRIGGER \(SQLText.quoted(name))")
        #expect(try log(database.path)?.lacking == [name])
        let isOfList = name.contains("Shelf.")
        let changed = sql.replacing("SELECT", with: "SELECT ALL")
        try other.execute(changed)
        #expect(try log(database.path)?.lacking == (isOfList || changed == sql ? [] : [name]))
        try other.execute("DROP TRIGGER \(SQLText.quoted(name)); \(sql)")
      }
      #expect(try log(database.path)?.lacking == [])
    }

    @Test func `broken foreign keys are found`() async throws {
      let database = try await Self.library()
      let other = try OtherConnection(database.path)
      try other.execute(
        "INSERT INTO copy VALUES ('z', 1, NULL); UPDATE book SET shelf = 9 WHERE isbn = 'b'")
      let found = try SQLiteInspection.read(database.path, readsAll: true).damage
      #expect(
        Set(found.map { "\($0.type ?? "") \($0.id.map { "\($0)" } ?? ""): \($0.cause)" }) == [
          "copy : book leads to a record of book, which does not exist",
          "book row 2: shelf leads to a record of shelf, which does not exist",
        ])
    }

    /// A commit made meanwhile is not visible yet.
    @Test func `an inspection shows one moment while others write`() async throws {
      let database = try await Self.library()
      let store = try Archive.store(at: database.path)
      try await store.execute(
        "INSERT INTO shelf SELECT value, NULL, NULL FROM json_each('[10, 11, 12]')")
      let before = try SQLiteInspection.read(database.path, readsAll: false)
      try await store.execute("DELETE FROM shelf WHERE id >= 10")
      try await store.execute("UPDATE book SET title = 'new' WHERE isbn = 'a'")
      #expect(before.records.count { $0.type.name == "shelf" } == 6)
      for record in before.records where record.type.name != "witness" {
        #expect(try record.value().fields?["title"] != "new")
      }
      let after = try SQLiteInspection.read(database.path, readsAll: true)
      #expect(after.records.count { $0.type.name == "shelf" } == 3)
      await store.close()
    }

    /// Whatever happens to the file, nothing crashes, and most damage is found.
    @Test func `damage to a database file never crashes the inspection`() async throws {
      let database = try await Self.tracked()
      let bytes = try Data(contentsOf: URL(filePath: database.path))
      var (found, refused, harmless) = (0, 0, 0)
      for seed in try Effort().seeds(400) {
        var generator = SplitMix64(seed: seed)
        var mutated = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<mutated.count, using: &generator)
          mutated[place] = UInt8.random(in: 0...255, using: &generator)
        }
        if generator.chance(0.2) {
          mutated = mutated.prefix(Int.random(in: 0...mutated.count, using: &generator))
        }
        let copy = TemporaryDatabase()
        try mutated.write(to: URL(filePath: copy.path))
        do {
          let inspection = try SQLiteInspection.read(copy.path, readsAll: true)
          for record in inspection.records { _ = try? record.value() }
          if inspection.damage.isEmpty { harmless += 1 } else { found += 1 }
        } catch { refused += 1 }
      }
      print("Mutated databases: \(found) found, \(refused) refused, \(harmless) harmless.")
      #expect(found + refused > 0)
    }

    @Test func `a file that is not a database is refused`() throws {
      let database = TemporaryDatabase()
      try Data("Not one of SQLite's files, but longer than a header is.".utf8)
        .write(to: URL(filePath: database.path))
      #expect(throws: KinshipError.self) {
        try SQLiteInspection.read(database.path, readsAll: true)
      }
      #expect(throws: KinshipError.self) {
        try SQLiteInspection.read(database.path + "-none", readsAll: true)
      }
      #expect(!FileManager.default.fileExists(atPath: database.path + "-none"))
    }
  }
#endif
