#if SQLite
  import Foundation
  import KinshipInspection
  import KinshipProgram
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import Kinship
  @testable import KinshipFileStore
  @testable import kinship_inspect

  /// Databases are inspected like files, and written like them.
  @Suite(.dedicatedThreads)
  struct DatabaseTests {
    /// A directory that is removed with this object.
    private final class Folder: Sendable {
      let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        .path(percentEncoded: false)

      init() throws {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: false)
      }

      deinit { try? FileManager.default.removeItem(atPath: path) }

      var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
      }
    }

    /// A database of persons and places, in which persons refer to persons.
    private static func family(in folder: Folder, _ more: String = "") async throws -> String {
      let path = "\(folder.path)/family.sqlite"
      let store = try SQLiteStore(
        at: path, SQLiteTable<Place>("place"),
        configuration: SQLiteConfiguration(
          setup: """
            CREATE TABLE person (
              id INTEGER PRIMARY KEY, name TEXT, born INTEGER, father INTEGER REFERENCES person,
              mother INTEGER REFERENCES person);
            CREATE TABLE place (id TEXT PRIMARY KEY, area REAL);
            INSERT INTO person VALUES (1, 'Victoria', 1819, NULL, NULL),
              (2, 'Albert', 1819, NULL, NULL), (3, 'Vicky', 1840, 2, 1),
              (4, 'Wilhelm', 1859, 3, NULL);
            INSERT INTO place VALUES ('Windsor', 1.5), ('Osborne', NULL);
            """))
      try await store.installTracking()
      await store.close()
      let other = try SQLiteStore(
        at: path, SQLiteTable<Place>("place"), configuration: SQLiteConfiguration(setup: more))
      await other.close()
      return path
    }

    private struct Place: GraphRecord, Codable {
      let id: String
      var area: Double?
    }

    @Test func `a database is shown, verified and compared`() async throws {
      let folder = try Folder()
      let path = try await Self.family(in: folder)
      let before = folder.names
      let shown = run("show", path).console.output
      #expect(shown.hasPrefix("database \(path)\n  system        SQLite "))
      #expect(shown.contains("\n  tracked       Place in place\n"))
      #expect(shown.contains("\n  person        1        4  4,096\n"))
      #expect(run("verify", "sqlite:\(path)").console.output == "6 records, all sound\n")
      #expect(
        run("show", path, "--records", "person", "--where", "born < 1850 and father is null")
          .console.output == """
            id  born  name
             1  1819  Victoria
             2  1819  Albert
            2 records

            """)
      #expect(
        run("tree", path, "person:4").console.output == """
          person:4 “Wilhelm”
          └─ father person:3 “Vicky”
             ├─ father person:2 “Albert”
             └─ mother person:1 “Victoria”

          """)
      var json = JSONReader(Array(run("show", path, "--json").console.output.utf8))
      #expect(
        try json.object().map(\.name) == [
          "path", "kind", "system", "bytes", "freeBytes", "userVersion", "changeLog", "refs",
          "records", "types", "damage",
        ])
      #expect(folder.names == before)
      for command in ["salvage", "compact"] {
        #expect(run(command, path, "--to", "\(folder.path)/new").status == .usage)
      }
    }

    @Test func `faults of a database are reported`() async throws {
      let folder = try Folder()
      let path = try await Self.family(
        in: folder,
        "PRAGMA foreign_keys = OFF; UPDATE person SET father = 9 WHERE id = 4; "
          + #"DROP TRIGGER "kinship Place place after update""#)
      let (status, console) = run("verify", path)
      #expect(status == .notFound)
      #expect(
        console.output == """
          \(path):0: error: person:row 4: father leads to a record of person, which does not exist.
          \(path):0: error: The log of changes is incomplete: kinship Place place after update.
          6 records, 2 faults

          """)
    }

    @Test func `two databases are compared`() async throws {
      let (folder, other) = (try Folder(), try Folder())
      let (old, new) = (
        try await Self.family(in: folder),
        try await Self.family(
          in: other,
          "UPDATE person SET born = 1841 WHERE id = 3; DELETE FROM place WHERE id = 'Windsor'")
      )
      let (status, console) = run("diff", old, new)
      #expect(status == .notFound)
      #expect(
        console.output == """
          ~ person:3
              born: 1840 → 1841
          - place:Windsor
          0 added, 1 removed, 1 changed
            person.born 1

          """)
    }

    /// The form in a table: a Boolean is a number, and a value without a type of its own is a text.
    private static func stored(_ value: FieldValue) -> FieldValue {
      if let bool = value.bool { return bool ? 1 : 0 }
      if value.list != nil || value.fields != nil { return .text(value.json) }
      if case .uuid(let uuid) = value { return .text(uuid.uuidString) }
      if let number = value.double, number.isNaN { return "nan" }
      if case .integer(let integer) = value, Int64(exactly: integer) == nil {
        return .text("\(integer)")
      }
      return value
    }

    @Test func `an export to a database is complete`() throws {
      try Property.check(
        seeds: 100, steps: 8, generate: TextImportTests.Put.random(plain: false)
      ) { commands, seed in
        var ids: Set<[FieldValue]> = []
        let puts = commands.filter { ids.insert([.text($0.type), Self.stored($0.id)]).inserted }
        let disk = SimulatedDisk()
        var new = try RecordImport(
          to: "/old", as: .snapshot(count: puts.count, moment: 1), coder: CompactCoder(), in: disk)
        var expected: [[FieldValue]: FieldValue] = [:]
        for put in puts {
          let record = put.record(isSnapshot: true)
          try new.add(record)
          var fields = RecordFields()
          for name in record.value.fields?.names ?? [] {
            let value = Self.stored(record.value.fields?[name] ?? .null)
            fields[name] = value == .null ? nil : value
          }
          expected[[.text(put.type), Self.stored(put.id)]] = .fields(fields)
        }
        _ = try new.finish()
        let folder = try Folder()
        let path = "\(folder.path)/new.sqlite"
        let (status, console) = run("export", "/old", "--to", path, in: disk)
        if puts.contains(where: { ($0.value.fields?.names ?? []).contains { $0.contains("\0") } }) {
          try verify(status == .cannotWrite && folder.names.isEmpty, "NUL in a name")
          return
        }
        try verifyEqual(status, .success, console.complaints.joined())
        let found = try SQLiteInspection.read(path, readsAll: true)
        try verify(found.damage.isEmpty, "\(found.damage)")
        var records: [[FieldValue]: FieldValue] = [:]
        for record in found.records {
          records[[.text(record.type.name), record.id ?? .null]] = try record.value()
        }
        try verifyEqual(records, expected, "records")
        try verifyEqual(folder.names, ["new.sqlite"], "files")
        try verifyEqual(
          run("export", "/old", "--to", path, in: disk).status, .cannotWrite, "another time")
      }
    }

    @Test func `an export that no table can hold leaves nothing behind`() throws {
      let lines = [
        [line(1, "\"a\":1,\"A\":2")], [line(1, "\"a\":1"), line(1, "", type: "person")],
        [line("true", ""), line(1, "")],
      ]
      for lines in lines {
        let (disk, folder) = (SimulatedDisk(), try Folder())
        disk.put(Array(lines.joined(separator: "\n").utf8), "f.jsonl", in: "/")
        #expect(run("import", "/f.jsonl", "--to", "/s", in: disk).status == .success)
        let (status, console) = run("export", "/s", "--to", "\(folder.path)/x.sqlite", in: disk)
        #expect(status == .cannotWrite, "\(console.output)")
        #expect(folder.names.isEmpty)
      }
    }

    private func line(_ id: Any, _ fields: String, type: String = "Person") -> String {
      #"{"type":"\#(type)","version":1,"id":\#(id),"fields":{\#(fields)}}"#
    }
  }
#endif
