#if SQLite
  import Kinship
  import KinshipSQLite
  import Testing

  struct SQLiteStoreVersionTests {
    struct Note: Versioned, Codable, Equatable {
      let id: Int
      var text: String
      var version = 0
    }

    private func store() async throws -> SQLiteStore {
      let store = try SQLiteStore(
        at: ":memory:", SQLiteTable<Note>("note", columns: [.column(\.version, "revision")]),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, revision INTEGER)"))
      try await store.execute("INSERT INTO note VALUES (1, 'a', 7), (2, 'b', 0)")
      return store
    }

    @Test func `a write increments the version`() async throws {
      let store = try await store()
      let cache = try GraphCache(for: Note.self, store: store)
      try await cache.write { tx in try tx.update(Ref<Note>(1), \.text, to: "c") }
      #expect(
        try await store.fetch(Note.self, ids: [1]) == [Note(id: 1, text: "c", version: 8)])
    }

    @Test(arguments: [true, false])
    func `another version is a conflict`(deletes: Bool) async throws {
      let store = try await store()
      let cache = try GraphCache(for: Note.self, store: store)
      _ = try await cache.resolve(Ref<Note>(1))
      try await store.execute("UPDATE note SET revision = 9, text = 'theirs' WHERE id = 1")
      await #expect {
        try await cache.write { tx in
          try tx.update(Ref<Note>(2), \.text, to: "z")
          if deletes {
            try tx.delete(Ref<Note>(1))
          } else {
            try tx.update(Ref<Note>(1), \.text, to: "mine")
          }
        }
      } throws: { error in
        guard case KinshipError.conflict(let ref, let mine, let theirs) = error else {
          return false
        }
        return ref == AnyRef(Ref<Note>(1)) && (mine as? Note)?.text == (deletes ? nil : "mine")
          && (theirs as? Note) == Note(id: 1, text: "theirs", version: 9)
      }
      #expect(try await store.fetch(Note.self, ids: [2]).first?.text == "b")
    }
  }
#endif
