#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import Testing

  @testable import KinshipStoreTestSupport

  /// Ids that SQLite would choose for new rows.
  struct NewIDTests {
    struct Plain: GraphRecord, Codable, Equatable {
      let id: Int
      var name = ""
    }

    struct Numbered: GraphRecord, Codable, Equatable {
      let id: Int64
      var plain: Ref<Plain>?
      static let relationships: Relationships<Numbered> = [.toOne(\.plain)]
    }

    struct Code: GraphRecord, Codable, Equatable { let id: String }
    struct Hidden: GraphRecord, Codable, Equatable {
      let id: Int
      var name = ""
    }

    private let database = TemporaryDatabase()

    private func store() throws -> SQLiteStore {
      // Two of them write in turn. On a busy machine, one may get its turn late.
      try SQLiteStore(
        at: database.path, SQLiteTable<Plain>("plain"), SQLiteTable<Numbered>("num'bered"),
        SQLiteTable<Code>("code"), SQLiteTable<Hidden>("hidden", id: "rowid"),
        configuration: SQLiteConfiguration(busyTimeout: .seconds(60)))
    }

    private func cache(_ store: SQLiteStore) throws -> GraphCache {
      try GraphCache(for: Plain.self, Numbered.self, Code.self, Hidden.self, store: store)
    }

    private let other: OtherConnection

    init() async throws {
      try await SQLiteStore(at: database.path).execute(
        """
        CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE "Num'bered" (id INTEGER PRIMARY KEY AUTOINCREMENT, plain INTEGER);
        CREATE TABLE code (id TEXT PRIMARY KEY);
        CREATE TABLE hidden (name TEXT);
        INSERT INTO plain VALUES (3, 'there');
        """)
      other = try OtherConnection(database.path)
    }

    @Test func `new ids are the next numbers`() async throws {
      let store = try store()
      let cache = try cache(store)
      let (refs, _) = try await cache.write { tx in
        let plain = try tx.newRef(Plain.self)
        try tx.insert(Plain(id: plain.id))
        let numbered = try tx.newRef(Numbered.self)
        try tx.insert(Numbered(id: numbered.id, plain: plain))
        let hidden = try tx.newRef(Hidden.self)
        try tx.insert(Hidden(id: hidden.id, name: "h"))
        return (plain, numbered, hidden)
      }
      #expect(refs.0.id == 4 && refs.1.id == 1 && refs.2.id == 1)
      #expect(try await store.fetch(Numbered.self, ids: [1]).first?.plain == refs.0)
      #expect(try await store.fetch(Hidden.self, ids: [1]).first?.name == "h")
      // A table without AUTOINCREMENT may use the number of a deleted row again, but not while the
      // store is open.
      try await cache.write { tx in
        try tx.delete(refs.0)
        try tx.delete(refs.1)
      }
      let second = try self.store()
      #expect(try await second.reserveIDs(Plain.self, count: 1) == [4])
      #expect(try await second.reserveIDs(Numbered.self, count: 2) == [2, 3])
      #expect(try await store.reserveIDs(Plain.self, count: 1) == [5])
      #expect(try await store.reserveIDs(Numbered.self, count: 1) == [4])
      try other.execute("INSERT INTO \"num'bered\" (plain) VALUES (NULL)")
      #expect(try await store.fetch(RecordQuery<Numbered>()).map(\.id) == [5])
    }

    @Test func `an id that is not a number cannot be reserved`() async throws {
      let store = try store()
      await #expect(throws: KinshipError.self) {
        try await store.reserveIDs(Code.self, count: 1)
      }
      try other.execute(
        "INSERT INTO code VALUES ('a'); INSERT INTO plain VALUES (\(Int64.max), '')")
      for type in [0, 1] {
        do {
          if type == 0 { _ = try await store.reserveIDs(Code.self, count: 1) }
          if type == 1 { _ = try await store.reserveIDs(Plain.self, count: 1) }
          Issue.record("ids are chosen")
        } catch KinshipError.misuse(.unsupported(let name, let operation)) {
          #expect(name == "SQLiteStore")
          #expect(operation.hasPrefix("new ids of"))
        }
      }
    }

    /// Two stores insert into one table at the same time.
    ///
    /// If one has used an id of the other, the other one runs again.
    @Test func `concurrent insertions into one table all succeed`() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<2 {
          let cache = try cache(store())
          group.addTask {
            for number in 0..<20 {
              try await cache.write { tx in
                let plain = try tx.newRef(Plain.self)
                try tx.insert(Plain(id: plain.id, name: "\(writer) \(number)"))
                try tx.insert(Numbered(id: tx.newRef(Numbered.self).id, plain: plain))
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let plain = try await store().fetch(RecordQuery<Plain>())
      #expect(Set(plain.map(\.name)).count == 41)
      #expect(try await store().count(RecordQuery<Numbered>()) == 40)
    }
  }
#endif
