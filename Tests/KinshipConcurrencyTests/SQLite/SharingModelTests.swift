#if SQLite
  import Foundation
  import Kinship
  import KinshipSync
  import KinshipTesting
  import KinshipSQLite
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  @testable import KinshipStoreTestSupport

  /// Caches follow stores of one database, which another program changes by random statements.
  @Suite(.dedicatedThreads)
  struct SharingModelTests {
    typealias Shelf = Archive.Shelf
    typealias Book = Archive.Book
    typealias Copy = Archive.Copy
    typealias Tag = Archive.Tag

    enum Step: Command {
      case sql(String)
      case own(cache: Int, kind: Int, id: Int, value: Int)
      case read(cache: Int, kind: Int, id: Int)
      case catchUp(cache: Int)
      case prune
      /// The store is closed, and opened again by a cache that starts warm.
      case reopen(cache: Int)

      static func random(using generator: inout SplitMix64) -> Step {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        switch number(21) {
        case 0..<4: return .own(cache: number(2), kind: number(7), id: number(5), value: number(5))
        case 4..<6: return .read(cache: number(2), kind: number(4), id: number(5))
        case 6..<9: return .catchUp(cache: number(2))
        case 9: return number(10) == 0 ? .prune : .catchUp(cache: number(2))
        case 20: return .reopen(cache: number(2))
        default: return .sql(statement(using: &generator))
        }
      }

      /// A statement of another program.
      private static func statement(using generator: inout SplitMix64) -> String {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        func either(_ count: Int) -> String { number(5) == 0 ? "NULL" : "\(number(count))" }
        func title() -> String { ["'a'", "'A'", "'b'", "'free'", "NULL"][number(5)] }
        let (id, other) = (number(5), number(5))
        let or = ["", "", " OR REPLACE", " OR REPLACE", " OR IGNORE"][number(5)]
        let (tags, tag) = (#""the tags'""#, #""shelf-tag""#)
        let statements: [String] = [
          "INSERT\(or) INTO shelf VALUES (\(either(5)), \(title()), \(either(5)))",
          "INSERT\(or) INTO book VALUES ('\(id)', \(title()), \(other), \(either(5)))",
          "INSERT\(or) INTO book (rowid, isbn, shelf) VALUES (\(other + 1), '\(id)', \(either(5)))",
          "INSERT\(or) INTO copy VALUES ('\(id)', \(other), \(title()))",
          "INSERT\(or) INTO \(tags) VALUES (\(Archive.blob(id)), \(title()))",
          "INSERT\(or) INTO \(tag) VALUES (\(id), \(Archive.blob(other)), \(number(3)))",
          "INSERT\(or) INTO \(tag) (rowid, shelf, \"tag id\") "
            + "VALUES (\(number(4)), \(id), \(Archive.blob(other)))",
          "INSERT INTO book SELECT isbn || '0', NULL, place, shelf FROM book "
            + "WHERE length(isbn) = 1",
          "INSERT INTO shelf VALUES (\(id), \(title()), NULL) ON CONFLICT DO UPDATE SET "
            + "parent = \(either(5))",
          "UPDATE\(or) shelf SET name = \(title()) WHERE id = \(id)",
          "UPDATE\(or) shelf SET id = \(other), parent = \(either(5)) WHERE id = \(id)",
          "UPDATE\(or) shelf SET id = id + 1",
          "UPDATE\(or) shelf SET parent = \(either(5))",
          "UPDATE\(or) book SET title = \(title()) WHERE isbn = '\(id)'",
          "UPDATE\(or) book SET shelf = \(either(5)) WHERE isbn = '\(id)'",
          "UPDATE\(or) book SET place = \(number(3))",
          "UPDATE\(or) book SET isbn = '\(other)' WHERE isbn = '\(id)'",
          "UPDATE\(or) book SET rowid = \(other + 1) WHERE isbn = '\(id)'",
          "UPDATE\(or) copy SET number = \(other) WHERE book = '\(id)'",
          "UPDATE\(or) copy SET state = \(title())",
          "UPDATE\(or) \(tags) SET \"the \"\"id\"\"\" = \(Archive.blob(other)) "
            + "WHERE name IS \(title())",
          "UPDATE\(or) \(tags) SET name = \(title()) "
            + "WHERE \"the \"\"id\"\"\" = \(Archive.blob(id))",
          "UPDATE\(or) \(tag) SET place = \(number(4)) WHERE shelf = \(id)",
          "UPDATE\(or) \(tag) SET shelf = \(other) WHERE shelf = \(id)",
          "UPDATE\(or) \(tag) SET \"tag id\" = \(Archive.blob(id)) WHERE place = \(number(3))",
          "DELETE FROM \(tag) WHERE shelf = \(id)",
          "DELETE FROM \(tags) WHERE \"the \"\"id\"\"\" = \(Archive.blob(id))",
          "DELETE FROM shelf WHERE id = \(id)",
          "DELETE FROM book WHERE isbn = '\(id)'",
          "DELETE FROM copy WHERE number = \(id)",
          "DELETE FROM \(["shelf", "book", "copy", tag, tags][id])",
        ]
        let statement = statements[number(statements.count)]
        return switch number(8) {
        case 0: "BEGIN; \(statement); ROLLBACK"
        case 1: "BEGIN; SAVEPOINT s; \(statement); ROLLBACK TO s; RELEASE s; COMMIT"
        case 2: "PRAGMA defer_foreign_keys = ON; BEGIN; \(statement); COMMIT"
        default: statement
        }
      }
    }

    private final class World {
      let database = TemporaryDatabase()
      private var stores: [SQLiteStore]
      private var caches: [GraphCache]
      private var followings: [GraphCache.Following]
      let other: OtherConnection
      let witness = Ref<Archive.Witness>(1)
      /// The caches that may have to drop everything.
      var pruned: Set<Int> = []

      init() async throws {
        let path = database.path
        let first = try Archive.store(at: path)
        try await first.installTracking()
        stores = [first, try Archive.store(at: path)]
        caches = try stores.map { try Archive.cache($0) }
        followings = zip(caches, stores).map { $0.follow($1, limits: .byHand) }
        other = try OtherConnection(path)
        try other.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF")
        for number in 0..<2 {
          try await followings[number].catchUp()
          _ = try await caches[number].resolve(witness)
        }
      }

      deinit { for following in followings { following.end() } }

      func apply(_ step: Step) async throws {
        switch step {
        case .sql(let sql):
          do { try other.execute(sql) } catch {
            // A statement may fail in the middle of a transaction.
            try? other.execute("ROLLBACK")
          }
        case .own(let cache, let kind, let id, let value):
          do { try await write(caches[cache], kind, id, value) } catch is KinshipError {}
        case .read(let cache, let kind, let id):
          switch kind {
          case 0: _ = try await caches[cache].find(Ref<Shelf>(id))
          case 1: _ = try await caches[cache].find(Ref<Book>("\(id)"))
          case 2: _ = try await caches[cache].find(Ref<Copy>(.init(book: "\(id)", number: id)))
          default: _ = try await caches[cache].find(Ref<Tag>(Archive.tag(id)))
          }
        case .catchUp(let cache):
          try await followings[cache].catchUp()
          try await verify(cache)
          pruned.remove(cache)
        case .prune:
          try await stores[0].pruneChanges(keeping: 2)
          pruned = [0, 1]
        case .reopen(let cache): try await reopen(cache)
        }
      }

      private func reopen(_ number: Int) async throws {
        let snapshot = URL(filePath: database.path + "-snapshot")
        defer { try? FileManager.default.removeItem(at: snapshot) }
        try await caches[number].snapshot(to: snapshot)
        await followings[number].finish()
        await stores[number].close()
        do {
          _ = try await stores[number].fetch(Shelf.self, ids: [1])
          throw Mismatch("a store that is closed answers")
        } catch KinshipError.misuse(.closed) {}
        stores[number] = try Archive.store(at: database.path)
        caches[number] = try Archive.cache(stores[number])
        try await caches[number].restore(from: snapshot)
        followings[number] = caches[number].follow(stores[number], limits: .byHand)
      }

      private func write(_ cache: GraphCache, _ kind: Int, _ id: Int, _ value: Int) async throws {
        try await cache.write { tx in
          let (shelf, book) = (Ref<Shelf>(id), Ref<Book>("\(id)"))
          // Not its own parent, because the database would then change the inserted row.
          let parent = value == id ? nil : Ref<Shelf>(value)
          switch kind {
          case 0: if tx[shelf] != nil { try tx.update(shelf) { $0.name = "own \(id)" } }
          case 1: if tx[shelf] == nil { try tx.insert(Shelf(id: id, parent: parent)) }
          case 2: if tx[book] != nil { try tx.update(book) { $0.shelf = Ref(value) } }
          case 3: if tx[book] == nil { try tx.insert(Book(id: "\(id)", shelf: Ref(value))) }
          case 4: if tx[book] != nil { try tx.delete(book) }
          case 5:
            let ref = Ref<Copy>(.init(book: "\(id)", number: value))
            if tx[ref] != nil { try tx.update(ref) { $0.state = "own" } }
          default:
            if tx[shelf] != nil {
              try tx.update(shelf) { $0.tags = [Ref(Archive.tag(value))] }
            }
          }
        }
      }

      func verify(_ number: Int) async throws {
        let (cache, store) = (caches[number], stores[number])
        func verify<R: GraphRecord & Equatable>(_ type: R.Type, _ ids: [R.ID]) async throws {
          let stored = try await store.fetch(type, ids: ids)
          let byID = Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
          for id in ids {
            if let held = cache.peek(Ref<R>(id)) {
              try verifyEqual(held, byID[id], "what cache \(number) holds of \(id)")
            }
            try verifyEqual(
              try await cache.find(Ref<R>(id)), byID[id], "what cache \(number) reads of \(id)")
          }
        }
        try verifyEqual(
          pruned.contains(number) || cache.peek(witness) != nil, true,
          "whether cache \(number) holds what nobody has changed")
        try await verify(Shelf.self, Array(0..<8))
        try await verify(Book.self, (0..<5).flatMap { ["\($0)", "\($0)0"] })
        try await verify(
          Copy.self, (0..<25).map { Copy.ID(book: "\($0 / 5)", number: $0 % 5) })
        try await verify(Tag.self, (0..<5).map { Archive.tag($0) })
        _ = try await cache.resolve(witness)
      }
    }

    /// A cache that has caught up holds the stored records, and drops no unchanged record without
    /// need.
    @Test func `a cache that has caught up agrees with the database`() async throws {
      try await Property.check(
        seeds: 40, steps: 120, shrinkLimit: 300, generate: { Step.random(using: &$0) }
      ) { steps, _ in
        let world = try await World()
        for step in steps { try await world.apply(step) }
        for number in 0..<2 { try await world.apply(.catchUp(cache: number)) }
      }
    }
  }
#endif
