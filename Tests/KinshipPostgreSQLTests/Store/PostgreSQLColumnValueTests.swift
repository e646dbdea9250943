#if PostgreSQL
  import Foundation
  import Kinship
  @testable import KinshipPostgreSQL
  @testable import KinshipStoreTestSupport
  import KinshipTestSupport
  import KinshipTestTraits
  import Testing

  /// A value comes back from a column of any type as it was written, or is refused.
  @Suite(.dedicatedThreads, .needsServer) struct PostgreSQLColumnValueTests {
    @Test(arguments: [
      "smallint", "integer", "bigint", "numeric", "real", "double precision", "text",
      "varchar(60)", "char(60)", "boolean", "uuid", "timestamptz", "date", "time", "bytea",
    ])
    func `values are read as written or refused`(declared: String) async throws {
      let database = try TestDatabase.make()
      try database.connect().execute("CREATE TABLE cell (id int PRIMARY KEY, value \(declared))")
      let visitor = Visitor(conninfo: database.conninfo, declared: declared)
      for (number, digits) in [(99, -299), (1 << 60 + 1, 7_001)] as [(Int64, Int)] {
        try await CellValues.visit(by: visitor, number, digits)
      }
    }

    private struct Visitor: CellVisitor {
      let conninfo: String
      let declared: String

      func visit<Value: CellValue>(_ values: [Value]) async throws {
        let store = try await PostgreSQLStore(
          conninfo, PostgreSQLTable<Cell<Value>>("cell"),
          configuration: PostgreSQLConfiguration(connections: 1))
        // A date is rounded to the microsecond, whatever its precision in the record.
        if declared == "timestamptz", Value.self == Double.self || Value.self == Float.self {
          return
        }
        for value in try Effort().some(of: values) {
          let cell = Cell(id: 1, value: value)
          do {
            try await store.apply(ChangeSet(inserting: [cell]))
          } catch is KinshipError {
            continue
          } catch is PostgreSQLError {
            continue
          }
          let found = try? await store.fetch(Cell<Value>.self, ids: [1])
          #expect(found == [cell], "\(Value.self) \(value) in \(declared)")
          try await store.execute("DELETE FROM cell")
        }
      }
    }

    @Test func `a refusal says what to declare`() async throws {
      let database = try TestDatabase.make()
      try database.connect().execute("CREATE TABLE cell (id int PRIMARY KEY, value real)")
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Cell<Double>>("cell"))
      try await store.apply(ChangeSet(inserting: [Cell(id: 1, value: 0.5)]))
      await #expect {
        try await store.apply(ChangeSet(inserting: [Cell(id: 2, value: 0.1)]))
      } throws: { error in
        guard case KinshipError.untranslatable(_, let id, _, let cause) = error else {
          return false
        }
        return id as? Int == 2 && "\(cause)".contains("declare it")
      }
    }

    @Test func `a number with too many digits for a Decimal is refused`() async throws {
      let database = try TestDatabase.make()
      let digits = String(repeating: "123456789", count: 6)
      try database.connect().execute(
        """
        CREATE TABLE cell (id int PRIMARY KEY, value numeric);
        INSERT INTO cell VALUES (1, \(digits)), (2, 1.50), (3, 0.\(digits)), (4, 'NaN')
        """)
      let store = try await PostgreSQLStore(
        database.conninfo, PostgreSQLTable<Cell<Decimal>>("cell"))
      for id in [1, 3] {
        await #expect(throws: KinshipError.self) {
          try await store.fetch(Cell<Decimal>.self, ids: [id])
        }
      }
      #expect(
        try await store.fetch(Cell<Decimal>.self, ids: [2]).map(\.value) == [Decimal(3) / 2])
      #expect(try await store.fetch(Cell<Decimal>.self, ids: [4]).first?.value.isNaN == true)
    }
  }
#endif
