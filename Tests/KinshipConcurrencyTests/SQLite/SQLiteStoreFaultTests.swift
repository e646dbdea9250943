#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  struct SQLiteStoreFaultTests {
    /// Whether an error is SQLite's refusal of a commit, with a certain code.
    private static func isRefusal(_ error: any Error, _ isReason: (SQLiteError) -> Bool) -> Bool {
      guard case KinshipError.commitFailed(let cause as SQLiteError) = error else { return false }
      return isReason(cause)
    }

    /// Nothing of a refused change is in memory or in the database.
    private static func verifyUnchanged(_ cache: GraphCache, _ store: SQLiteStore) async throws {
      #expect(cache.peek(Ref<Song>(100))?.name == "One")
      #expect(cache.peek(Ref<Song>(5000)) == nil)
      let songs = try await store.fetch(RecordQuery<Song>().sorted(by: \.id))
      #expect(songs.map(\.name) == ["One", "Two", "Three", "Four", "Five"])
    }

    @Test(arguments: [":memory:", "file"])
    func `a full disk changes nothing`(place: String) async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(at: place == "file" ? database.path : place)
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Song>(100))
      try await store.execute("PRAGMA max_page_count = 1")
      for _ in 0..<2 {
        await #expect {
          try await cache.write { tx in
            try tx.update(Ref<Song>(100), \.name, to: "Overwritten")
            for id in 5000..<7000 {
              try tx.insert(Song(id: id, name: String(repeating: "full", count: 50)))
            }
          }
        } throws: { error in
          Self.isRefusal(error) { $0.isFull && !"\($0)".contains("fullfull") }
        }
        try await Self.verifyUnchanged(cache, store)
      }
      try await store.execute("PRAGMA max_page_count = 100000")
      try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "Now") }
      #expect(try await store.fetch(Song.self, ids: [100]).first?.name == "Now")
    }

    @Test func `a locked database is waited for and then refused`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(
        at: database.path, SQLiteConfiguration(busyTimeout: .milliseconds(50)))
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Song>(100))
      let other = try OtherConnection(database.path)
      try other.execute("BEGIN IMMEDIATE")
      await #expect {
        try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "Mine") }
      } throws: { error in
        Self.isRefusal(error) { $0.isBusy && "\($0)".contains("SQLITE_BUSY") }
      }
      // Reads continue.
      try await Self.verifyUnchanged(cache, store)
      try other.execute("COMMIT")
      try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "Mine") }
    }

    @Test func `locks of another process are honoured both ways`() async throws {
      let database = TemporaryDatabase()
      _ = try await Music.filled(at: database.path)
      let holder = try OtherConnection(database.path)
      try holder.execute("BEGIN IMMEDIATE; UPDATE song SET name = 'Held' WHERE id = 100")
      // A child process: it can read, and cannot write.
      await #expect(processExitsWith: .success) { [path = database.path as String] in
        let store = try Music.store(
          at: path, SQLiteConfiguration(busyTimeout: .milliseconds(100), setup: "SELECT 1"))
        let cache = try Music.cache(store)
        guard try await cache.resolve(Ref<Song>(100)).name == "One" else { exit(2) }
        do {
          try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "Child") }
          exit(3)
        } catch KinshipError.commitFailed(let cause as SQLiteError) {
          guard cause.isBusy, cache.peek(Ref<Song>(100))?.name == "One" else { exit(4) }
        }
      }
      try holder.execute("COMMIT")
      await #expect(processExitsWith: .success) { [path = database.path as String] in
        let store = try Music.store(
          at: path, SQLiteConfiguration(setup: "SELECT 1"))
        let cache = try Music.cache(store)
        try await cache.write { tx in try tx.update(Ref<Song>(101), \.name, to: "Child") }
      }
      let store = try Music.store(at: database.path)
      let songs = try await store.fetch(RecordQuery<Song>().sorted(by: \.id).limited(to: 2))
      #expect(songs.map(\.name) == ["Held", "Child"])
    }

    @Test func `reads see the state before a long write`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(
        at: database.path, SQLiteConfiguration(readers: 2, synchronous: .off))
      let cache = try Music.cache(store)
      async let write: ChangeSet = cache.write { tx in
        for id in 5000..<25_000 { try tx.insert(Song(id: id, name: "Song \(id)")) }
      }
      var counts: Set<Int> = []
      var isDone = false
      while !isDone {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<6 {
            group.addTask { try await store.fetch(RecordQuery<Song>()).count }
          }
          for try await count in group { counts.insert(count) }
        }
        isDone = counts.contains(20_005)
      }
      _ = try await write
      #expect(counts.isSubset(of: [5, 20_005]))
    }

    @Test func `a cancelled read stops`() async throws {
      let store = try Music.store()
      try await store.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
        INSERT INTO song SELECT i, 'Song ' || i, NULL FROM n
        """)
      let task = Task { try await store.fetch(RecordQuery<Song>()).count }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await store.fetch(Song.self, ids: [1]).count == 1)
    }

    /// A cancelled task ends, whatever it waits for, and long before the timeout.
    private static func verifyEnds(
      _ work: @escaping @Sendable () async throws -> Void, after isWaiting: () async throws -> Void
    ) async throws {
      let task = Task { try await work() }
      try await isWaiting()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The timeout is longer than the test may take, so no call ends by it.
    private static let patient = SQLiteConfiguration(readers: 1, busyTimeout: .seconds(3_600))

    @Test func `cancelled writes to a locked database end at once`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(at: database.path, Self.patient)
      let cache = try Music.cache(store)
      _ = try await cache.resolve(Ref<Song>(100))
      let other = try OtherConnection(database.path)
      try other.execute("BEGIN IMMEDIATE")
      // The first write has the connection, and the others wait for it.
      let first = Task {
        try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "First") }
      }
      for _ in 0..<3 {
        for work: @Sendable () async throws -> Void in [
          { try await store.execute("DELETE FROM song") },
          { try await cache.write { tx in try tx.update(Ref<Song>(101), \.name, to: "Second") } },
        ] {
          try await Self.verifyEnds(work) { await Task.yield() }
        }
      }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      try other.execute("COMMIT")
      try await Self.verifyUnchanged(cache, store)
      try await cache.write { tx in try tx.update(Ref<Song>(100), \.name, to: "Now") }
      #expect(try await store.fetch(Song.self, ids: [100]).first?.name == "Now")
    }

    @Test func `cancelled reads of a locked database end at once`() async throws {
      let database = TemporaryDatabase()
      do { _ = try await Music.filled(at: database.path) }
      // Without a write-ahead log, a writer keeps readers out.
      let other = try OtherConnection(database.path)
      try other.execute("PRAGMA journal_mode = DELETE")
      var configuration = Self.patient
      configuration.access = .readOnly
      let store = try Music.store(at: database.path, configuration)
      try other.execute("BEGIN EXCLUSIVE")
      let first = Task { try await store.fetch(Song.self, ids: [100]) }
      for work: @Sendable () async throws -> Void in [
        { _ = try await store.fetch(Song.self, ids: [100]) },
        { _ = try await store.fetch(RecordQuery<Song>()) },
        {
          _ = try await store.referrers(to: [Ref<Album>(10)], by: RecordRelationship(\Song.album))
        },
        { _ = try await store.changes(since: nil) },
      ] {
        try await Self.verifyEnds(work) { await Task.yield() }
      }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      try other.execute("COMMIT")
      #expect(try await store.fetch(Song.self, ids: [100]).count == 1)
    }

    @Test func `a cancelled statement ends at once`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(at: database.path, Self.patient)
      let other = try OtherConnection(database.path)
      // It never ends by itself.
      let endless = """
        INSERT INTO song VALUES (5000, 'Begun', NULL);
        INSERT INTO song
        WITH RECURSIVE n(i) AS (SELECT 5001 UNION ALL SELECT i + 1 FROM n)
        SELECT i, 'Endless', NULL FROM n LIMIT 1 OFFSET 1000000000000
        """
      try await Self.verifyEnds({ try await store.execute(endless) }) {
        // The statement runs as soon as it has the database.
        try await wait {
          if (try? other.execute("BEGIN IMMEDIATE")) == nil { return true }
          try other.execute("ROLLBACK")
          return false
        }
        // The same holds for a task that waits for the connection.
        try await Self.verifyEnds({ _ = try await store.changes(since: nil) }) {
          await Task.yield()
        }
      }
      #expect(try await store.fetch(RecordQuery<Song>()).count == 5)
      try await store.execute("DELETE FROM song WHERE id = 102")
      #expect(try await store.fetch(RecordQuery<Song>()).count == 4)
    }

    @Test func `a waiter for a reader can be cancelled`() async throws {
      let database = TemporaryDatabase()
      let store = try await Music.filled(at: database.path, SQLiteConfiguration(readers: 1))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask {
            let task = Task { try await store.fetch(Song.self, ids: [100]).count }
            if index.isMultiple(of: 3) { task.cancel() }
            switch await task.result {
            case .success(let count): #expect(count == 1)
            case .failure(let error):
              #expect(index.isMultiple(of: 3) && error is CancellationError)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.fetch(Song.self, ids: [100]).count == 1)
    }
  }
#endif
