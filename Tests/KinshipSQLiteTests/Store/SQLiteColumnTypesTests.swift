#if SQLite
  import Foundation
  import Kinship
  import KinshipSQLite
  import KinshipTestTraits
  import Testing

  @testable import KinshipStoreTestSupport

  /// A column of any type returns a value as it was written, or the store refuses it.
  @Suite(.dedicatedThreads)
  struct SQLiteColumnTypesTests {
    private static let declared = [
      "", "INTEGER", "TEXT", "VARCHAR(9)", "NUMERIC", "DECIMAL(10,2)", "REAL", "DOUBLE PRECISION",
      "BLOB", "STRING", "DATETIME", "BOOLEAN", "ANY",
    ]

    private static func store<Value: CellValue>(
      _ type: Value.Type, _ declared: String, _ rows: String = ""
    ) throws -> SQLiteStore {
      try SQLiteStore(
        at: ":memory:", SQLiteTable<Cell<Value>>("cell"),
        configuration: SQLiteConfiguration(
          setup: "CREATE TABLE cell (id INTEGER PRIMARY KEY, value \(declared)); \(rows)"))
    }

    @Test(arguments: declared)
    func `values are read as written or refused`(declared: String) async throws {
      for (number, digits) in [(99, -299), (1 << 60 + 1, 7_001), (.min, 1)] as [(Int64, Int)] {
        try await CellValues.visit(by: Visitor(declared: declared), number, digits)
      }
    }

    private struct Visitor: CellVisitor {
      let declared: String

      func visit<Value: CellValue>(_ values: [Value]) async throws {
        let store = try SQLiteColumnTypesTests.store(Value.self, declared)
        for value in values {
          let cell = Cell(id: 1, value: value)
          do {
            try await store.apply(ChangeSet(inserting: [cell]))
          } catch KinshipError.untranslatable(_, _, _, let cause) where cause is SQLMappingError {
            continue
          }
          let found = try? await store.fetch(Cell<Value>.self, ids: [1])
          #expect(found == [cell], "\(Value.self) \(value) in \(declared)")
          try await store.execute("DELETE FROM cell")
        }
      }
    }

    private func isKept<Value: CellValue>(_ value: Value, in declared: String) async throws -> Bool
    {
      let store = try Self.store(Value.self, declared)
      let cell = Cell(id: 1, value: value)
      do {
        try await store.apply(ChangeSet(inserting: [cell]))
      } catch KinshipError.untranslatable(let type, _, _, let cause) {
        #expect(type == Cell<Value>.recordName)
        #expect("\(cause)".contains("declare it"))
        return false
      }
      return try await store.fetch(Cell<Value>.self, ids: [1]) == [cell]
    }

    @Test func `a refusal says what to declare`() async throws {
      #expect(try await isKept("1234", in: "TEXT"))
      #expect(try await isKept("one", in: "STRING"))
      #expect(try await !isKept("01234", in: "STRING"))
      #expect(try await !isKept(" 1e5 ", in: "NUMERIC"))
      #expect(try await !isKept(5, in: "TEXT"))
      #expect(try await !isKept(5, in: "REAL"))
      #expect(try await !isKept(0.5, in: "TEXT"))
      #expect(try await isKept(5.0, in: "INTEGER"))
      let long = try #require(Decimal(string: "1234567890123456789.12"))
      #expect(try await !isKept(long, in: "DECIMAL(30,2)"))
      #expect(try await isKept(long, in: "TEXT"))
      for declared in Self.declared {
        #expect(try await isKept(Decimal(299) / 100, in: declared), "\(declared)")
        #expect(try await isKept(Decimal.nan, in: declared), "\(declared)")
        #expect(try await isKept(Data([1, 2]), in: declared), "\(declared)")
      }
    }

    @Test(arguments: ["", "NUMERIC(10,2)", "TEXT", "REAL"])
    func `prices that other programs wrote are read`(declared: String) async throws {
      let store = try Self.store(
        Decimal.self, declared, "INSERT INTO cell VALUES (1, 0.99), (2, 3), (3, '1.50')")
      let query = RecordQuery<Cell<Decimal>>().sorted(by: \.id)
      #expect(
        try await store.fetch(query).map(\.value)
          == [Decimal(99) / 100, 3, Decimal(3) / 2])
    }

    @Test func `a relative URL is refused`() async throws {
      let base = try #require(URL(string: "https://example.org/a/"))
      let url = try #require(URL(string: "b", relativeTo: base))
      let store = try Self.store(URL.self, "TEXT")
      await #expect(throws: KinshipError.self) {
        try await store.apply(ChangeSet(inserting: [Cell(id: 1, value: url)]))
      }
      try await store.apply(ChangeSet(inserting: [Cell(id: 1, value: url.absoluteURL)]))
    }

    @Test func `a value of another kind is not read as nil`() async throws {
      let store = try Self.store(Int?.self, "", "INSERT INTO cell VALUES (1, 'five'), (2, NULL)")
      await #expect(throws: KinshipError.self) {
        try await store.fetch(Cell<Int?>.self, ids: [1])
      }
      #expect(try await store.fetch(Cell<Int?>.self, ids: [2]).map(\.value) == [nil])
    }

    @Test func `a number that JSON cannot hold is refused within a value`() async throws {
      struct Offer: Codable, Equatable, Sendable { var price: Decimal }
      let store = try Self.store(Offer.self, "TEXT")
      await #expect(throws: KinshipError.self) {
        try await store.apply(
          ChangeSet(inserting: [Cell(id: 1, value: Offer(price: .nan))]))
      }
      try await store.apply(ChangeSet(inserting: [Cell(id: 1, value: Offer(price: 1))]))
    }
  }
#endif
