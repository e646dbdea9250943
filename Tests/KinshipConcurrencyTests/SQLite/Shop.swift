#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite

  @testable import KinshipStoreTestSupport

  /// A shop whose database others write as well, with columns that the records do not map, and
  /// values in other forms than the store writes.
  struct Shop {
    struct Band: GraphRecord, Codable, Equatable {
      struct Place: Codable, Equatable {
        var city: String
        var street: String
      }

      let id: Int
      var name: String
      var founded: Date
      var place: Place
      var discs: [Ref<Disc>] = []

      static let relationships: Relationships<Band> = [.toMany(\.discs)]
    }

    struct Disc: GraphRecord, Codable, Equatable {
      let id: Int
      var title: String
      var band: Ref<Band>?

      static let relationships: Relationships<Disc> = [.toOne(\.band, inverse: \.discs)]
    }

    struct Bill: GraphRecord, Codable, Equatable {
      let id: Int
      var total: Double
      var lines: [Ref<Line>] = []

      static let relationships: Relationships<Bill> = [.toMany(\.lines)]
    }

    struct Line: GraphRecord, Codable, Equatable {
      let id: Int
      var bill: Ref<Bill>?

      static let relationships: Relationships<Line> = [.toOne(\.bill, inverse: \.lines)]
    }

    /// A band's row in the database.
    struct BandRow: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String
      var founded: String
      var place: String
      var phone: String?
      var fee: Double?
    }

    struct BillRow: GraphRecord, Codable, Equatable {
      let id: Int
      var total: Double
      var note: String?
    }

    let database = TemporaryDatabase()
    let store: SQLiteStore
    let cache: GraphCache
    /// Another process's store of the same database.
    let others: SQLiteStore

    init() async throws {
      let setup = """
        CREATE TABLE IF NOT EXISTS band (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded TEXT, place TEXT,
          phone TEXT DEFAULT '?', fee REAL, twice GENERATED ALWAYS AS (fee * 2));
        CREATE TABLE IF NOT EXISTS disc (
          id INTEGER PRIMARY KEY, title TEXT, band INTEGER REFERENCES band);
        CREATE TABLE IF NOT EXISTS bill (id INTEGER PRIMARY KEY, total REAL, note TEXT);
        CREATE TABLE IF NOT EXISTS line (id INTEGER PRIMARY KEY, bill INTEGER)
        """
      let configuration = SQLiteConfiguration(synchronous: .off, setup: setup)
      store = try SQLiteStore(
        at: database.path,
        SQLiteTable<Band>(
          "band", lists: [.toMany(\.discs, table: "disc", foreignKey: "band", key: "id")],
          formats: SQLFormats(dates: .text)),
        SQLiteTable<Disc>("disc"),
        SQLiteTable<Bill>(
          "bill", lists: [.toMany(\.lines, table: "line", foreignKey: "bill", key: "id")]),
        SQLiteTable<Line>("line"), configuration: configuration)
      others = try SQLiteStore(
        at: database.path, SQLiteTable<BandRow>("band"), SQLiteTable<Disc>("disc"),
        SQLiteTable<BillRow>("bill"), SQLiteTable<Line>("line"), configuration: configuration)
      try await others.execute(
        """
        INSERT INTO band VALUES
          (3, 'Old', '1999-01-31', '{"street":"Elm","city":"Bonn"}', '555', 7),
          (4, 'Other', '2001-02-03', '{"city":"Rome","street":"Via"}', NULL, NULL);
        INSERT INTO disc VALUES (30, 'First', 3), (31, 'Second', 3);
        INSERT INTO bill VALUES (1, 10.0, 'paid');
        INSERT INTO line VALUES (10, 1), (11, 1)
        """)
      cache = try GraphCache(
        for: Band.self, Disc.self, Bill.self, Line.self, store: store)
    }

    /// Band 3 as it was.
    static let row = BandRow(
      id: 3, name: "Old", founded: "1999-01-31", place: #"{"street":"Elm","city":"Bonn"}"#,
      phone: "555", fee: 7)

    func row(_ id: Int = 3) async throws -> BandRow? {
      try await others.fetch(BandRow.self, ids: [id]).first
    }

    func band(of disc: Int) async throws -> Ref<Band>? {
      try await others.fetch(Disc.self, ids: [disc]).first?.band
    }
  }
#endif
