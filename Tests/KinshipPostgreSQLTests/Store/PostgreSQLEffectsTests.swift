#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// What the database makes of a commit is what everybody sees after it.
  @Suite(.dedicatedThreads, .needsServer)
  struct PostgreSQLEffectsTests {
    private static func store(_ database: TestDatabase) async throws -> PostgreSQLStore {
      try database.connect().execute(Ledger.postgreSQLSchema)
      return try await PostgreSQLStore(
        database.conninfo, Ledger.accounts, Ledger.tags, Ledger.entries, Ledger.memos)
    }

    @Test(arguments: [false, true])
    func `memory shows what is stored after each commit`(isTracked: Bool) async throws {
      for seed in try Effort().seeds(8) {
        let database = try TestDatabase.make()
        let store = try await Self.store(database)
        if isTracked { try await store.execute(store.trackingSQL) }
        var generator = SplitMix64(seed: seed)
        let differences = try await Ledger.differences(store, operations: 60, using: &generator)
        #expect(differences == [], "seed \(seed) in \(database.conninfo)")
      }
    }

    @Test func `an insertion that was rounded can be undone and redone`() async throws {
      let database = try TestDatabase.make()
      let cache = try Ledger.cache(await Self.store(database))
      let undo = UndoStack(cache)
      for number in 0..<8 {
        let at = Date(timeIntervalSinceReferenceDate: 817_000_000.1 + Double(number) * 0.0123456)
        try await undo.write { tx in
          try tx.insert(Ledger.Account(id: number, name: " a "))
          try tx.insert(
            Ledger.Entry(id: number, account: nil, at: at, amount: Decimal(number) / 7))
        }
        await cache.removeAll()
        try await undo.undo()
        #expect(try await cache.find(Ref<Ledger.Entry>(number)) == nil)
        try await undo.redo()
        #expect(try await cache.find(Ref<Ledger.Account>(number))?.label == "a:\(number)")
      }
      try database.connect().execute("SELECT 1")
    }

    @Test func `keys of JSON that no property has stay`() async throws {
      let database = try TestDatabase.make()
      let store = try await Self.store(database)
      let cache = try Ledger.cache(store)
      try await store.execute(
        """
        INSERT INTO account (id, name, total, info) VALUES
          (1, 'a', 0, '{"city":"Bonn","zip":"53111","place":{"street":"A","number":7}}')
        """)
      try await cache.write { tx in try tx.update(Ref<Ledger.Account>(1), \.info.city, to: "Köln") }
      let rows = try database.connect().query(
        """
        SELECT (info = '{"city":"Köln","zip":"53111","place":{"street":"A","number":7}}')::text
        FROM account
        """, [])
      #expect(PostgreSQLCells(rows).text(at: 0) == "true")
    }
  }
#endif
