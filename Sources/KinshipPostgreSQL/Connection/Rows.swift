#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  /// The result of a statement: its rows, or the number of changed rows.
  final class Rows {
    private let result: OpaquePointer
    private let types: TypeCatalog
    let count: Int
    private(set) var columns: [PostgreSQLType] = []

    /// Takes ownership of a libpq result, which is freed when this object is destroyed.
    init(_ result: OpaquePointer, _ types: TypeCatalog) {
      self.result = result
      self.types = types
      count = Int(PQntuples(result))
      findTypes()
    }

    func findTypes() { columns = (0..<PQnfields(result)).map { types[PQftype(result, $0)] } }

    var isKnown: Bool { columns.allSatisfy { !$0.name.isEmpty } }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }

    /// Whether a statement reads or writes a stream, which must be ended explicitly.
    var isCopying: Bool {
      status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
    }

    /// The number of rows that the statement has changed or selected.
    var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The tag of the statement, such as `INSERT 0 1`.
    var tag: String { String(cString: PQcmdStatus(result)) }

    /// Returns the name of a column; empty if it does not exist.
    func name(of column: Int) -> String {
      PQfname(result, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    /// The rows, one after another.
    var all: some Sequence<PostgreSQLCells> {
      (0..<count).lazy.map { PostgreSQLCells(self, row: $0) }
    }

    func failure(of sql: String?) -> PostgreSQLError? {
      switch status {
      case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: PostgreSQLError(of: result, sql: sql)
      default: nil
      }
    }

    /// Rejects rows with a column that cannot be read.
    func check() throws(PostgreSQLError) {
      for (index, type) in columns.enumerated() where !type.isReadable {
        throw .unsupportedType(
          type.name.isEmpty ? "number \(type.number)" : type.name, column: name(of: index))
      }
    }

    /// Returns the bytes of a value, valid as long as the rows exist; `nil` for NULL or a missing
    /// value.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
      let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
      guard PQgetisnull(result, row, column) == 0 else { return nil }
      return UnsafeRawBufferPointer(
        start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    /// Returns a value, unless it cannot be represented, such as an infinite date.
    func value(_ row: Int, _ column: Int) throws(PostgreSQLError) -> SQLValue {
      guard let bytes = bytes(row, column) else { return .null }
      guard let value = columns[column].kind.value(of: bytes) else {
        throw unsuitable(column)
      }
      return value
    }

    /// Returns the elements of an array of one dimension; none for NULL.
    func list(_ row: Int, _ column: Int) throws(PostgreSQLError) -> [SQLValue] {
      guard let bytes = bytes(row, column) else { return [] }
      guard case .array(let element) = columns[column].kind,
        let values = ArrayCoding.values(of: bytes, element)
      else { throw unsuitable(column) }
      return values
    }

    /// Returns the texts of an array, without NULLs; none for NULL.
    func texts(_ row: Int, _ column: Int) throws(PostgreSQLError) -> [String] {
      try list(row, column).compactMap(\.text)
    }

    private func unsuitable(_ column: Int) -> PostgreSQLError {
      .unsuitableValue(
        table: "", column: name(of: column), expected: "a value of \(columns[column].name) to tell")
    }
  }
#endif
