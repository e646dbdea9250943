#if PostgreSQL
  package import Kinship
  package import KinshipPostgreSQL

  /// A database with counters for several processes.
  package enum Tally {
    /// A counter is never deleted.
    ///
    /// Its version is the number of its increments.
    package struct Counter: Versioned, Codable, Equatable {
      package let id: Int
      package var count = 0
      package var version = 0
    }

    /// A note is inserted and deleted.
    ///
    /// No two insertions give it the same version.
    package struct Note: Versioned, Codable, Equatable {
      package let id: Int
      package var owner: Int
      package var stars = 0
      package var version: Int
    }

    /// Each commit inserts a receipt.
    package struct Receipt: GraphRecord, Codable, Equatable {
      package let id: String
    }

    package static let counters = 1...6
    package static let notes = 1...24
    package static let owners = 1...4

    package static let schema = """
      CREATE TABLE counter (id int PRIMARY KEY, count int NOT NULL, version bigint NOT NULL);
      CREATE TABLE owner (id int PRIMARY KEY);
      CREATE TABLE note (
        id int PRIMARY KEY, owner int NOT NULL REFERENCES owner ON DELETE CASCADE,
        stars int NOT NULL, version bigint NOT NULL);
      CREATE TABLE receipt (id text PRIMARY KEY);
      INSERT INTO counter SELECT id, 0, 0 FROM generate_series(1, \(counters.upperBound)) id;
      INSERT INTO owner SELECT id FROM generate_series(1, \(owners.upperBound)) id;
      """

    /// The first version of an inserted note, which no other insertion has.
    package static func firstVersion(writer: Int, insertion: Int) -> Int {
      (writer + 1) << 40 + insertion << 16
    }

    package static func store(
      _ conninfo: String, _ configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws -> PostgreSQLStore {
      try await PostgreSQLStore(
        conninfo, PostgreSQLTable<Counter>("counter"), PostgreSQLTable<Note>("note"),
        PostgreSQLTable<Receipt>("receipt"), configuration: configuration)
    }

    package static func cache(_ store: PostgreSQLStore) throws -> GraphCache {
      try GraphCache(for: Counter.self, Note.self, Receipt.self, store: store)
    }
  }

  /// A record whose states a history distinguishes.
  package protocol Tallied: Versioned where ID == Int {
    /// The name of the type in the history.
    static var letter: String { get }
  }

  extension Tally.Counter: Tallied { package static var letter: String { "counter" } }
  extension Tally.Note: Tallied { package static var letter: String { "note" } }

  extension Tallied {
    /// The name of a record in the history.
    package static func key(_ id: Int) -> String { "\(letter)/\(id)" }
  }
#endif
