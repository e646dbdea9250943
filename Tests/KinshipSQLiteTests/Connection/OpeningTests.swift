#if SQLite
  import CSQLite
  import Foundation
  import Kinship
  import KinshipSync
  import Testing

  @testable import KinshipSQLite
  @testable import KinshipStoreTestSupport

  struct OpeningTests {
    @Test func `missing tables and columns are named`() throws {
      func open(_ setup: String) throws {
        _ = try SQLiteStore(
          at: ":memory:", Music.albums, configuration: SQLiteConfiguration(setup: setup))
      }
      #expect(throws: SQLMappingError.noTable("album")) { try open("SELECT 1") }
      #expect(throws: SQLMappingError.noColumn("number", table: "album")) {
        try open("CREATE TABLE album (id INTEGER); CREATE TABLE song (id, album)")
      }
      #expect(throws: SQLMappingError.noTable("song")) { try open("CREATE TABLE album (number)") }
      #expect(throws: SQLMappingError.noColumn("album", table: "song")) {
        try open("CREATE TABLE album (number); CREATE TABLE song (id)")
      }
      #expect {
        try open("CREATE TABLE (")
      } throws: { ($0 as? SQLiteError)?.code == 1 && "\($0)".contains("SQLITE_ERROR") }
      #expect {
        _ = try SQLiteStore(at: "/nowhere/at/all.sqlite", Music.artists)
      } throws: { "\($0)".contains("SQLITE_CANTOPEN") }
    }

    @Test func `a property without a column is refused when the store is opened`() throws {
      struct Person: GraphRecord, Codable {
        let id: Int
        var name: String?
        var birthday: Int?
      }
      func open(_ setup: String) throws {
        _ = try SQLiteStore(
          at: ":memory:", SQLiteTable<Person>("person"),
          configuration: SQLiteConfiguration(setup: setup))
      }
      let rows = "INSERT INTO person (id, name) VALUES (1, 'Albert')"
      #expect(throws: SQLMappingError.noColumnForProperty("birthday", table: "person")) {
        try open("CREATE TABLE person (id INTEGER, name TEXT, born INTEGER); \(rows)")
      }
      try open("CREATE TABLE person (id INTEGER, name TEXT, birthday INTEGER); \(rows)")
      // A row that is not a record is reported when it is read.
      try open("CREATE TABLE person (id, name, birthday); INSERT INTO person VALUES (1, 2, 'x')")
    }

    @Test(arguments: [
      (SQLiteConfiguration.Journal.unchanged, "delete"), (.writeAheadLog, "wal"),
    ])
    func `a database keeps its journal mode unless another is requested`(
      journal: SQLiteConfiguration.Journal, mode: String
    ) async throws {
      let database = TemporaryDatabase()
      let store = try Music.store(
        at: database.path, SQLiteConfiguration(journal: journal, setup: Music.schema))
      let cache = try Music.cache(store)
      for id in 1...20 {
        async let read = store.fetch(RecordQuery<Artist>())
        try await cache.write { tx in try tx.insert(Artist(id: id, name: "\(id)")) }
        #expect(try await read.count >= id - 1)
      }
      await store.close()
      let tally = Tally()
      let connection = try Connection(database.path, flags: SQLITE_OPEN_READWRITE, tally: tally)
      #expect(try connection.pragma("PRAGMA journal_mode") == .text(mode))
    }

    @Test func `a type has one table`() {
      #expect(throws: KinshipError.self) {
        _ = try SQLiteStore(
          at: ":memory:", Music.artists, Music.artists,
          configuration: SQLiteConfiguration(setup: Music.schema))
      }
    }

    @Test(arguments: [true, false])
    func `a read-only store changes nothing`(hasLog: Bool) async throws {
      let database = TemporaryDatabase()
      do {
        let store = try await Music.filled(at: database.path)
        // The log of a closed database is gone, but the file still names its journal mode.
        if !hasLog { _ = store }
      }
      try? FileManager.default.removeItem(atPath: database.path + "-shm")
      let folder = URL(filePath: database.path).deletingLastPathComponent()
      let name = URL(filePath: database.path).lastPathComponent
      func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasPrefix(name) {
          files[file] = try Data(contentsOf: folder.appending(path: file))
        }
        return files
      }
      let before = try files()
      #expect(before.keys.sorted() == [name])
      let store = try Music.store(
        at: database.path, SQLiteConfiguration(access: .readOnly, setup: "DROP TABLE song"))
      #expect(try await store.fetch(RecordQuery<Song>()).count == 5)
      #expect(try await store.fetch(Song.self, ids: [100, 104, 105]).count == 2)
      let cache = try Music.cache(store)
      await #expect(throws: KinshipError.self) {
        try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "x") }
      }
      await #expect(throws: KinshipError.self) { try await store.execute("DROP TABLE song") }
      #expect(try files() == before)
    }

    /// A backup replaces the file.
    @Test(arguments: [true, false])
    func `a file that was replaced is noticed`(isTracked: Bool) async throws {
      struct Doc: GraphRecord, Codable, Equatable { let id: Int }
      let setup = "CREATE TABLE IF NOT EXISTS doc (id INTEGER PRIMARY KEY)"
      func open(_ database: TemporaryDatabase) throws -> SQLiteStore {
        try SQLiteStore(
          at: database.path, SQLiteTable<Doc>("doc"),
          configuration: SQLiteConfiguration(setup: setup))
      }
      let (database, backup) = (TemporaryDatabase(), TemporaryDatabase())
      let store = try open(database)
      if isTracked { try await store.installTracking() }
      await (try open(backup)).close()
      let cursor = try await store.changes(since: nil).cursor
      for suffix in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: database.path + suffix)
      }
      #expect(rename(backup.path, database.path) == 0)
      await #expect(throws: SQLiteError.replaced) { try await store.changes(since: cursor) }
      await #expect(throws: SQLiteError.replaced) {
        try await store.apply(ChangeSet(inserting: [Doc(id: 1)]))
      }
      #expect(try await open(database).fetch(Doc.self, ids: [1]).isEmpty)
    }
  }
#endif
