#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipSync
  import KinshipTestSupport
  import Testing

  @testable import KinshipStoreTestSupport

  /// Caches that follow a store of a database to which others write.
  struct SharingTests {
    typealias Shelf = Archive.Shelf
    typealias Book = Archive.Book
    typealias Witness = Archive.Witness

    private struct World {
      let database = TemporaryDatabase()
      let store: SQLiteStore
      let other: OtherConnection

      init(isTracked: Bool = true) async throws {
        store = try Archive.store(at: database.path)
        try await store.execute(
          "INSERT INTO shelf VALUES (1, 'One', NULL), (2, 'Two', NULL), (3, 'Three', 1)")
        if isTracked { try await store.installTracking() }
        other = try OtherConnection(database.path)
        try other.execute("PRAGMA foreign_keys = ON")
      }

      func cursor() async throws -> StoreCursor { try await store.changes(since: nil).cursor }

      /// Whether the log reports that everything may have changed since a place.
      func isEverything(since cursor: StoreCursor) async throws -> Bool {
        let changes = try await store.changes(since: cursor).changes
        if case .everything? = changes.first?.extent { return changes.count == 1 }
        return false
      }
    }

    private let first = Ref<Shelf>(1)

    private func name(_ ref: Ref<Shelf>, _ cache: GraphCache) async throws -> String? {
      try await cache.find(ref)?.name
    }

    // MARK: Caches

    /// The cache polls by time alone: it is not notified.
    @Test func `changes of others are soon seen by polling`() async throws {
      let world = try await World()
      let cache = try Archive.cache(world.store)
      let following = cache.follow(world.store)
      #expect(try await name(first, cache) == "One")
      try await following.catchUp()
      try world.other.execute("UPDATE shelf SET name = 'New' WHERE id = 1")
      try await wait { cache.peek(first)?.name != "One" }
      #expect(try await name(first, cache) == "New")
    }

    /// A store in memory counts too, and so does a read-only store.
    @Test(arguments: [true, false])
    func `two caches of one store hear of each other`(isTracked: Bool) async throws {
      let store = try Archive.store(at: ":memory:")
      if isTracked { try await store.installTracking() }
      try await store.execute("INSERT INTO shelf VALUES (1, 'One', NULL)")
      let caches = [try Archive.cache(store), try Archive.cache(store)]
      let followings = caches.map { $0.follow(store, limits: .byHand) }
      try await store.catchUp()
      for number in 0..<6 {
        let (writer, reader) = (caches[number % 2], caches[1 - number % 2])
        _ = try await name(first, reader)
        try await writer.write { try $0.update(first) { $0.name = "\(number)" } }
        try await store.catchUp()
        #expect(writer.peek(first)?.name == "\(number)")
        #expect(reader.peek(first) == nil)
        #expect(try await name(first, reader) == "\(number)")
      }
      try await store.execute("UPDATE shelf SET name = 'all'")
      try await store.catchUp()
      for cache in caches { #expect(try await name(first, cache) == "all") }
      withExtendedLifetime(followings) {}
    }

    @Test func `a read-only store can be followed`() async throws {
      let world = try await World()
      let store = try Archive.store(at: world.database.path, access: .readOnly)
      let cache = try Archive.cache(store)
      let following = cache.follow(store, limits: .byHand)
      try await following.catchUp()
      _ = try await cache.find([first, Ref<Shelf>(2)])
      try world.other.execute("UPDATE shelf SET name = 'New' WHERE id = 1")
      try await following.catchUp()
      #expect(cache.peek(Ref<Shelf>(2)) != nil)
      #expect(try await name(first, cache) == "New")
      await #expect(throws: KinshipError.self) { try await store.pruneChanges(keeping: 1) }
    }

    @Test func `a cache without a log drops everything when others commit`() async throws {
      let world = try await World(isTracked: false)
      let cache = try Archive.cache(world.store)
      let following = cache.follow(world.store, limits: .byHand)
      try await following.catchUp()
      _ = try await cache.find([first, Ref<Shelf>(2)])
      try await cache.write { try $0.update(first) { $0.name = "own" } }
      try await following.catchUp()
      #expect(cache.count == 2)
      try world.other.execute("UPDATE shelf SET name = 'New' WHERE id = 1")
      try await following.catchUp()
      #expect(cache.count == 0)
      #expect(try await name(first, cache) == "New")
      try await following.catchUp()
      #expect(cache.count == 1)
      // From here on, there is a log.
      try await world.store.installTracking()
      try await following.catchUp()
      _ = try await cache.find([first, Ref<Shelf>(2)])
      try world.other.execute("UPDATE shelf SET name = 'Newer' WHERE id = 1")
      try await following.catchUp()
      #expect(cache.peek(Ref<Shelf>(2)) != nil)
      #expect(try await name(first, cache) == "Newer")
    }

    /// The row that a trigger changed is dropped, and the rest stays.
    @Test func `a change that a trigger adds is dropped from memory`() async throws {
      let world = try await World()
      try await world.store.execute(
        """
        CREATE TRIGGER echo AFTER UPDATE OF name ON shelf WHEN NEW.id = 1 BEGIN
          UPDATE shelf SET name = 'echo of ' || NEW.name WHERE id = 2;
        END
        """)
      let cache = try Archive.cache(world.store)
      let following = cache.follow(world.store, limits: .byHand)
      try await following.catchUp()
      _ = try await cache.find([first, Ref<Shelf>(2), Ref<Shelf>(3)])
      try await cache.write { try $0.update(first) { $0.name = "own" } }
      try await following.catchUp()
      #expect(cache.peek(first)?.name == "own")
      #expect(cache.peek(Ref<Shelf>(3)) != nil)
      #expect(try await name(Ref(2), cache) == "echo of own")
    }

    /// The entry of a commit does not include the rows before or after it.
    @Test func `a commit's log entry has exactly its own rows`() async throws {
      let world = try await World()
      let cache = try Archive.cache(world.store)
      let following = cache.follow(world.store, limits: .byHand)
      try await following.catchUp()
      let cursor = try await world.cursor()
      let (shelf, witness) = (AnyRef(first), AnyRef(Ref<Witness>(2)))
      for _ in 0..<3 {
        try world.other.execute("UPDATE shelf SET name = 'x' WHERE id = 1")
        try await cache.write { tx in
          try tx.update(Ref<Shelf>(2)) { $0.name = ($0.name ?? "") + "2" }
          try tx.update(Ref<Shelf>(3)) { $0.name = ($0.name ?? "") + "3" }
        }
        try world.other.execute("REPLACE INTO witness VALUES (2)")
        await #expect(throws: KinshipError.self) {
          try await cache.write { try $0.insert(Witness(id: 1)) }
        }
      }
      let changes = try await world.store.changes(since: cursor).changes
      var refs: [CommitID?: Set<AnyRef>] = [:]
      for change in changes {
        guard case .records(let named) = change.extent else {
          Issue.record("\(change)")
          return
        }
        refs[change.commit, default: []].formUnion(named)
      }
      #expect(refs[nil] == [shelf, witness])
      refs[nil] = nil
      #expect(refs.count == 3)
      let own: Set<AnyRef> = [AnyRef(Ref<Shelf>(2)), AnyRef(Ref<Shelf>(3))]
      for named in refs.values { #expect(named == own) }
    }

    // MARK: Places

    @Test func `a cursor of another log is rejected`() async throws {
      let world = try await World()
      let cursor = try await world.cursor()
      #expect(try await world.store.changes(since: cursor).refs == [])
      let parts = cursor.text.split(separator: " ").map(String.init)
      for text in [
        "", "log", "log 1 2", "log a b c", "log 1 2 3", "\(parts[0]) \(parts[1]) \(parts[2]) 0",
        "\(parts[0]) \(parts[1]) \(parts[2]) \(parts[3]) ", "unlogged 1 2 3",
        "\(parts[0]) \(parts[1]) \(Int64.max) \(parts[3])",
        "\(parts[0]) \(parts[1]) \(Int64.min) \(parts[3])", "\u{0}", "unlogged",
      ] {
        #expect(try await world.isEverything(since: StoreCursor(text)), "\(text)")
      }
    }

    @Test func `a pruned log does not go back to older cursors`() async throws {
      let world = try await World()
      var cursors: [StoreCursor] = []
      for number in 0..<5 {
        try world.other.execute("UPDATE shelf SET name = '\(number)' WHERE id = 1")
        cursors.append(try await world.cursor())
      }
      try await world.store.pruneChanges(keeping: 2)
      for (number, cursor) in cursors.enumerated() {
        #expect(try await world.isEverything(since: cursor) == (number < 3), "\(number)")
      }
      try await world.store.pruneChanges(keeping: -5)
      #expect(try await world.store.changes(since: cursors[4]).refs == [])
      #expect(try await world.isEverything(since: cursors[3]))
    }

    /// The log does not grow for ever, whichever program writes.
    @Test func `the log prunes itself`() async throws {
      let world = try await World()
      let cursor = try await world.cursor()
      func insert(_ range: Range<Int>) throws {
        try world.other.execute(
          """
          INSERT INTO witness WITH RECURSIVE n(i) AS (
            SELECT \(range.lowerBound) UNION ALL SELECT i + 1 FROM n
            WHERE i < \(range.upperBound - 1)) SELECT i FROM n
          """)
      }
      try insert(1_000..<101_000)
      #expect(try await world.store.changes(since: cursor).refs?.count == 100_000)
      try insert(200_000..<240_000)
      #expect(try await world.isEverything(since: cursor))
      try world.other.execute(
        """
        CREATE TABLE small (id CHECK (id < 132200));
        INSERT INTO small SELECT count(*) FROM kinship_change
        """)
    }

    @Test func `a replaced log is noticed`() async throws {
      let world = try await World()
      let cursor = try await world.cursor()
      let script = try await world.store.trackingSQL
      // In one transaction, so that no reader sees the database without a log, and with as many
      // rows as before.
      try world.other.execute("BEGIN; DROP TABLE kinship_change; \(script); COMMIT")
      #expect(try await world.store.tracking == .complete)
      #expect(try await world.isEverything(since: cursor))
    }

    /// Rows may get other values without a trigger.
    @Test func `a changed schema is noticed`() async throws {
      let world = try await World()
      let cursor = try await world.cursor()
      try world.other.execute("ALTER TABLE book ADD COLUMN pages INTEGER DEFAULT 100")
      #expect(try await world.isEverything(since: cursor))
      #expect(try await world.store.tracking == .complete)
    }

    /// An earlier copy replaces the database while no program has it open.
    @Test(arguments: [false, true])
    func `a restored database is noticed`(hasGoneOn: Bool) async throws {
      let (database, copy) = (TemporaryDatabase(), TemporaryDatabase())
      var cursor: StoreCursor
      do {
        let store = try Archive.store(at: database.path)
        try await store.installTracking()
        try await store.execute("INSERT INTO shelf VALUES (1, 'One', NULL)")
        cursor = try await store.changes(since: nil).cursor
        let other = try OtherConnection(database.path)
        try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.copyItem(atPath: database.path, toPath: copy.path)
        // The copy contains the place as well: it is the same log.
        #expect(
          try await Archive.store(at: copy.path).changes(since: cursor).refs == [])
        try await store.execute("UPDATE shelf SET name = 'Two'")
        cursor = try await store.changes(since: cursor).cursor
      }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: database.path + suffix)
      }
      try FileManager.default.copyItem(atPath: copy.path, toPath: database.path)
      let store = try Archive.store(at: database.path)
      if hasGoneOn { try await store.execute("UPDATE shelf SET name = 'Three'") }
      let changes = try await store.changes(since: cursor).changes
      guard case .everything? = changes.first?.extent else {
        Issue.record("\(changes)")
        return
      }
    }

    // MARK: Snapshots

    /// A process that starts again drops the records that have changed meanwhile, and no others.
    @Test func `a restored snapshot catches up and keeps unchanged records`() async throws {
      let world = try await World()
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("kinship-\(UUID().uuidString).snapshot")
      defer { try? FileManager.default.removeItem(at: file) }
      do {
        let cache = try Archive.cache(world.store)
        let following = cache.follow(world.store, limits: .byHand)
        try await following.catchUp()
        _ = try await cache.find((1...4).map { Ref<Shelf>($0) })
        try await cache.write { try $0.update(Ref<Shelf>(2)) { $0.name = "own" } }
        try await cache.snapshot(to: file)
      }
      try world.other.execute(
        "UPDATE shelf SET name = 'New' WHERE id = 1; INSERT INTO shelf VALUES (4, 'Four', NULL)")
      let store = try Archive.store(at: world.database.path)
      let cache = try Archive.cache(store)
      #expect(try await cache.restore(from: file).cursor != nil)
      #expect(cache.peek(first)?.name == "One")
      let following = cache.follow(store, limits: .byHand)
      try await following.catchUp()
      #expect(try await name(first, cache) == "New")
      #expect(try await name(Ref(4), cache) == "Four")
      #expect(cache.peek(Ref<Shelf>(3)) != nil)
      #expect(try await name(Ref(2), cache) == "own")
    }
  }
#endif
