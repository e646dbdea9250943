#if PostgreSQL
  import Foundation
  import Kinship
  import KinshipSync
  import KinshipTesting
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// Caches that follow stores of one database, which a program changes that knows nothing of them,
  /// in random statements.
  @Suite(
    .dedicatedThreads,
    .needsServer)
  struct SharingModelTests {
    typealias Shelf = Library.Shelf
    typealias Book = Library.Book
    typealias Copy = Library.Copy
    typealias Tag = Library.Tag

    enum Step: Command {
      case sql(String)
      case own(cache: Int, kind: Int, id: Int, value: Int)
      case read(cache: Int, kind: Int, id: Int)
      case catchUp(cache: Int)
      case prune

      static func random(using generator: inout SplitMix64) -> Step {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        switch number(20) {
        case 0..<4: return .own(cache: number(2), kind: number(7), id: number(5), value: number(5))
        case 4..<6: return .read(cache: number(2), kind: number(4), id: number(5))
        case 6..<9: return .catchUp(cache: number(2))
        case 9: return number(10) == 0 ? .prune : .catchUp(cache: number(2))
        default: return .sql(statement(using: &generator))
        }
      }

      /// A statement of another program.
      private static func statement(using generator: inout SplitMix64) -> String {
        func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        func either(_ count: Int) -> String { number(5) == 0 ? "NULL" : "\(number(count))" }
        func title() -> String { ["'a'", "'A'", "'b'", "'free'", "NULL"][number(5)] }
        let (id, other) = (number(5), number(5))
        let skip = number(2) == 0 ? " ON CONFLICT DO NOTHING" : ""
        let (tags, tag) = (#""the tags'""#, #""shelf-tag""#)
        let statements: [String] = [
          "INSERT INTO shelf VALUES (\(other), \(title()), \(either(5)))\(skip)",
          "INSERT INTO book VALUES ('\(id)', \(title()), \(other), \(either(5)))\(skip)",
          "INSERT INTO copy VALUES ('\(id)', \(other), \(title()))\(skip)",
          "INSERT INTO \(tags) VALUES (\(Library.uuid(id)), \(title()))\(skip)",
          "INSERT INTO \(tag) VALUES (\(id), \(Library.uuid(other)), \(number(3)))\(skip)",
          "INSERT INTO book SELECT isbn || '0', NULL, place, shelf FROM book "
            + "WHERE length(isbn) = 1\(skip)",
          "INSERT INTO shelf VALUES (\(id), \(title()), NULL) ON CONFLICT (id) DO UPDATE SET "
            + "parent = \(either(5))",
          "MERGE INTO shelf USING (VALUES (\(id)), (\(other))) AS n(id) ON shelf.id = n.id "
            + "WHEN MATCHED AND n.id = \(other) THEN DELETE "
            + "WHEN MATCHED THEN UPDATE SET name = \(title()) "
            + "WHEN NOT MATCHED THEN INSERT VALUES (n.id, NULL, NULL)",
          "UPDATE shelf SET name = \(title()) WHERE id = \(id)",
          "UPDATE shelf SET id = \(other), parent = \(either(5)) WHERE id = \(id)",
          "UPDATE shelf SET id = id + 5 WHERE id = \(id)",
          "UPDATE shelf SET parent = \(either(5))",
          "UPDATE book SET title = \(title()) WHERE isbn = '\(id)'",
          "UPDATE book SET shelf = \(either(5)) WHERE isbn = '\(id)'",
          "UPDATE book SET place = \(number(3))",
          "UPDATE book SET isbn = '\(other)' WHERE isbn = '\(id)'",
          "UPDATE copy SET number = \(other) WHERE book = '\(id)'",
          "UPDATE copy SET state = \(title())",
          "UPDATE \(tags) SET \"the \"\"id\"\"\" = \(Library.uuid(other)) "
            + "WHERE \"the \"\"id\"\"\" = \(Library.uuid(id))",
          "UPDATE \(tags) SET name = \(title()) "
            + "WHERE \"the \"\"id\"\"\" = \(Library.uuid(id))",
          "UPDATE \(tag) SET place = \(number(4)) WHERE shelf = \(id)",
          "UPDATE \(tag) SET shelf = \(other) WHERE shelf = \(id)",
          "UPDATE \(tag) SET \"tag id\" = \(Library.uuid(id)) WHERE place = \(number(3))",
          "DELETE FROM \(tag) WHERE shelf = \(id)",
          "DELETE FROM \(tags) WHERE \"the \"\"id\"\"\" = \(Library.uuid(id))",
          "DELETE FROM shelf WHERE id = \(id)",
          "DELETE FROM book WHERE isbn = '\(id)'",
          "DELETE FROM copy WHERE number = \(id)",
          "DELETE FROM \(["shelf", "book", "copy", tag, tags][id])",
          "TRUNCATE \(["copy", tag, "copy, \(tag)"][number(3)])",
        ]
        let statement = statements[number(statements.count)]
        return switch number(8) {
        case 0: "BEGIN; \(statement); ROLLBACK"
        case 1: "BEGIN; SAVEPOINT s; \(statement); ROLLBACK TO s; RELEASE s; COMMIT"
        case 2: "BEGIN; \(statement); SAVEPOINT s; DELETE FROM copy; ROLLBACK TO s; COMMIT"
        default: statement
        }
      }
    }

    private final class World {
      let database: TestDatabase
      let stores: [PostgreSQLStore]
      let caches: [GraphCache]
      let followings: [GraphCache.Following]
      let other: Connection
      let witness = Ref<Library.Witness>(1)
      /// The caches that may have to drop everything.
      var pruned: Set<Int> = []

      init() async throws {
        database = try TestDatabase.make()
        other = try database.connect()
        try other.execute(Library.schema)
        let one = PostgreSQLConfiguration(connections: 1, notifies: false)
        let first = try await Library.store(database.conninfo, one)
        try await first.execute(first.trackingSQL)
        stores = [
          try await Library.store(database.conninfo, one),
          try await Library.store(database.conninfo, one),
        ]
        caches = try stores.map { try Library.cache($0) }
        followings = zip(caches, stores).map {
          $0.follow(
            $1,
            limits: FollowingLimits(
              interval: .seconds(3_600), maximumStaleness: .seconds(36_000), duringOutage: .serve))
        }
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
            // It may be refused, half-way through a transaction.
            try? other.execute("ROLLBACK")
          }
        case .own(let cache, let kind, let id, let value):
          do { try await write(caches[cache], kind, id, value) } catch is KinshipError {}
        case .read(let cache, let kind, let id):
          switch kind {
          case 0: _ = try await caches[cache].find(Ref<Shelf>(id))
          case 1: _ = try await caches[cache].find(Ref<Book>("\(id)"))
          case 2: _ = try await caches[cache].find(Ref<Copy>(.init(book: "\(id)", number: id)))
          default: _ = try await caches[cache].find(Ref<Tag>(Library.tag(id)))
          }
        case .catchUp(let cache):
          try await followings[cache].catchUp()
          try await verify(cache)
          pruned.remove(cache)
        case .prune:
          _ = try await stores[0].pool.run { try $0.prune(olderThan: .zero) }
          pruned = [0, 1]
        }
      }

      private func write(_ cache: GraphCache, _ kind: Int, _ id: Int, _ value: Int) async throws {
        try await cache.write { tx in
          let (shelf, book) = (Ref<Shelf>(id), Ref<Book>("\(id)"))
          // Not its own parent: then the database would add to what was inserted.
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
              try tx.update(shelf) { $0.tags = [Ref(Library.tag(value))] }
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
        try await verify(Tag.self, (0..<5).map { Library.tag($0) })
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
