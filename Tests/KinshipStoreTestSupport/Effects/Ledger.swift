#if SQLite || PostgreSQL
  import Foundation
  import Kinship
  import KinshipSQL

  /// Accounts in a database that changes more than the change set: by triggers, cascades, a
  /// computed column, rounded dates and numbers, and a list without an order of its own.
  enum Ledger {
    struct Info: Codable, Equatable, Sendable {
      struct Place: Codable, Equatable, Sendable {
        var street: String?
      }
      var city: String
      var place: Place?
    }

    struct Account: GraphRecord, Codable, Equatable {
      let id: Int
      /// A trigger removes blanks around it.
      var name: String
      /// A trigger counts the entries.
      var total = 0
      /// The database computes it.
      var label: String?
      /// The database contains other keys besides these.
      var info = Info(city: "Bonn")
      /// Without an order.
      var tags: [Ref<Tag>] = []
      static let relationships: Relationships<Account> = [.toMany(\.tags)]
    }

    struct Tag: GraphRecord, Codable, Equatable { let id: Int }

    struct Entry: GraphRecord, Codable, Equatable {
      let id: Int
      /// The database deletes the entries of an account that is deleted.
      var account: Int?
      var at: Date
      var amount: Decimal
    }

    struct Memo: GraphRecord, Codable, Equatable {
      let id: Int
      /// The database sets it to NULL if the entry is deleted.
      var entry: Int?
    }

    static let sqliteSchema = """
      CREATE TABLE account (
        id INTEGER PRIMARY KEY, name TEXT, total INTEGER,
        label TEXT GENERATED ALWAYS AS (name || ':' || id) VIRTUAL, info TEXT);
      CREATE TABLE tag (id INTEGER PRIMARY KEY);
      CREATE TABLE account_tag (account INTEGER, tag INTEGER, PRIMARY KEY (account, tag));
      CREATE TABLE entry (
        id INTEGER PRIMARY KEY, account INTEGER REFERENCES account ON DELETE CASCADE, at,
        amount TEXT);
      CREATE TABLE memo (id INTEGER PRIMARY KEY, entry INTEGER REFERENCES entry ON DELETE SET NULL);
      CREATE TRIGGER trim_inserted AFTER INSERT ON account WHEN NEW.name <> trim(NEW.name) BEGIN
        UPDATE account SET name = trim(NEW.name) WHERE id = NEW.id;
      END;
      CREATE TRIGGER trim_updated AFTER UPDATE OF name ON account WHEN NEW.name <> trim(NEW.name)
      BEGIN
        UPDATE account SET name = trim(NEW.name) WHERE id = NEW.id;
      END;
      CREATE TRIGGER count_inserted AFTER INSERT ON entry BEGIN
        UPDATE account SET total = (SELECT count(*) FROM entry WHERE account = account.id)
        WHERE id = NEW.account;
      END;
      CREATE TRIGGER count_deleted AFTER DELETE ON entry BEGIN
        UPDATE account SET total = (SELECT count(*) FROM entry WHERE account = account.id)
        WHERE id = OLD.account;
      END;
      """

    static let postgreSQLSchema = """
      CREATE TABLE account (
        id bigint PRIMARY KEY, name text, total bigint,
        label text GENERATED ALWAYS AS (name || ':' || id) STORED, info jsonb);
      CREATE TABLE tag (id bigint PRIMARY KEY);
      CREATE TABLE account_tag (account bigint, tag bigint, PRIMARY KEY (account, tag));
      CREATE TABLE entry (
        id bigint PRIMARY KEY, account bigint REFERENCES account ON DELETE CASCADE,
        at timestamptz, amount numeric(6, 2));
      CREATE TABLE memo (
        id bigint PRIMARY KEY, entry bigint REFERENCES entry ON DELETE SET NULL);
      CREATE FUNCTION trim_name() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.name := trim(NEW.name); RETURN NEW; END $$;
      CREATE TRIGGER trim_name BEFORE INSERT OR UPDATE ON account
        FOR EACH ROW EXECUTE FUNCTION trim_name();
      CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE account a SET total = (SELECT count(*) FROM entry e WHERE e.account = a.id)
          WHERE id IN (NEW.account, OLD.account);
          RETURN NULL;
        END $$;
      CREATE TRIGGER count_entries AFTER INSERT OR DELETE ON entry
        FOR EACH ROW EXECUTE FUNCTION count_entries();
      """

    static let accounts = SQLTable<Account>(
      "account", lists: [.toMany(\.tags, through: "account_tag", from: "account", to: "tag")])
    static let tags = SQLTable<Tag>("tag")
    static let entries = SQLTable<Entry>("entry", formats: SQLFormats(dates: .text))
    static let memos = SQLTable<Memo>("memo")

    static func cache(_ store: any BackingStore) throws -> GraphCache {
      try GraphCache(for: Account.self, Tag.self, Entry.self, Memo.self, store: store)
    }

    /// Writes at random, and compares memory with the database after each commit.
    ///
    /// - Returns: The differences.
    static func differences<S: BackingStore>(
      _ store: S, operations: Int, using generator: inout some RandomNumberGenerator
    ) async throws -> [String] {
      let cache = try cache(store)
      for id in 0..<4 { try await cache.write { tx in try tx.insert(Tag(id: id)) } }
      var differences: [String] = []
      for step in 0..<operations {
        let (kind, id, other) = (
          Int.random(in: 0..<10, using: &generator), Int.random(in: 0..<5, using: &generator),
          Int.random(in: 0..<5, using: &generator)
        )
        let at = Date(
          timeIntervalSinceReferenceDate: .random(in: 0..<900_000_000, using: &generator))
        let amount = Decimal(Int.random(in: 0..<9_000_000, using: &generator)) / 10_000
        let list = (0..<4).shuffled(using: &generator).prefix(other).map { Ref<Tag>($0) }
        let body: @Sendable (inout GraphCache.Transaction) throws -> Void = { tx in
          switch kind {
          case 0: try tx.put(Account(id: id, name: " name \(step) ", tags: list))
          case 1, 2: try tx.put(Entry(id: id, account: other, at: at, amount: amount))
          case 3: try tx.put(Memo(id: id, entry: other))
          case 4: try tx.update(Ref<Account>(id), \.name, to: " \(step)")
          case 5: try tx.update(Ref<Account>(id)) { $0.tags = list }
          case 6: try tx.update(Ref<Entry>(id), \.at, to: at)
          case 7: try tx.update(Ref<Account>(id), \.info.city, to: "\(step)")
          case 8: try tx.delete(Ref<Entry>(id))
          default:
            if tx[Ref<Entry>(other)] != nil {
              try tx.update(Ref<Entry>(other), \.amount, to: amount)
            }
            try tx.delete(Ref<Account>(id))
          }
        }
        // Some commits fail, such as updates of missing records. Then nothing has changed.
        if Bool.random(using: &generator) {
          _ = try? await cache.write(body: body)
        } else {
          _ = try? await cache.writeOptimistically(body: body).outcome()
        }
        differences += try await compare(cache, store, step, kind)
        if Int.random(in: 0..<20, using: &generator) == 0 { await cache.removeAll() }
        try await load(cache)
      }
      return differences
    }

    private static func load(_ cache: GraphCache) async throws {
      for id in 0..<5 {
        _ = try await (
          cache.find(Ref<Account>(id)), cache.find(Ref<Entry>(id)), cache.find(Ref<Memo>(id))
        )
      }
    }

    private static func compare(
      _ cache: GraphCache, _ store: some BackingStore, _ step: Int, _ kind: Int
    ) async throws -> [String] {
      func difference<R: GraphRecord & Equatable>(_ type: R.Type, _ id: R.ID) async throws
        -> [String]
      {
        guard let shown = cache.peek(Ref<R>(id)) else { return [] }
        let stored = try await store.fetch(type, ids: [id]).first
        return shown == stored
          ? [] : ["\(step), \(kind): \(shown) is shown, \(String(describing: stored)) is stored"]
      }
      var differences: [String] = []
      for id in 0..<5 {
        differences += try await difference(Account.self, id)
        differences += try await difference(Entry.self, id)
        differences += try await difference(Memo.self, id)
      }
      return differences
    }
  }
#endif
