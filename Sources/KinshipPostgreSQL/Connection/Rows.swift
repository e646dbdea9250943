#if PostgreSQL
  internal import CPostgreSQL
  internal import KinshipSQL

  /// The result of a statement: rows, or how many it has changed.
  final class Rows {
    private let result: OpaquePointer
    private let types: TypeCatalog
    /// How many rows there are.
    let count: Int
    /// The types of the columns.
    private(set) var columns: [PostgreSQLType] = []

    /// What libpq has got is freed when this goes away.
    init(_ result: OpaquePointer, _ types: TypeCatalog) {
      self.result = result
      self.types = types
      count = Int(PQntuples(result))
      findTypes()
    }

    /// Finds the types of the columns among those that are known.
    func findTypes() { columns = (0..<PQnfields(result)).map { types[PQftype(result, $0)] } }

    /// Whether the types of all columns were known to the database when it was asked for them.
    var isKnown: Bool { columns.allSatisfy { !$0.name.isEmpty } }

    deinit { PQclear(result) }

    var status: ExecStatusType { PQresultStatus(result) }

    /// Whether a statement reads or writes a stream, which has to be told to end.
    var isCopying: Bool {
      status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH
    }

    /// How many rows the statement has changed, or selected.
    var affected: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// What the statement was, such as `INSERT 0 1`.
    var tag: String { String(cString: PQcmdStatus(result)) }

    /// The name of a column; empty if there is none.
    func name(of column: Int) -> String {
      PQfname(result, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    /// What the server has refused, if it has.
    func failure(of sql: String?) -> PostgreSQLError? {
      switch status {
      case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: PostgreSQLError(of: result, sql: sql)
      default: nil
      }
    }

    /// Refuses rows with a column that cannot be read.
    func check() throws(PostgreSQLError) {
      for (index, type) in columns.enumerated() where !type.isReadable {
        throw .unsupportedType(
          type.name.isEmpty ? "number \(type.number)" : type.name, column: name(of: index))
      }
    }

    /// The bytes of a value, which are there as long as the rows are; `nil` for NULL, or where
    /// there is none.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
      let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
      guard PQgetisnull(result, row, column) == 0 else { return nil }
      return UnsafeRawBufferPointer(
        start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    /// A value.
    ///
    /// - Throws: `PostgreSQLError.unsuitableValue` for one that cannot be told, such as an infinite
    ///   date.
    func value(_ row: Int, _ column: Int) throws(PostgreSQLError) -> SQLValue {
      guard let bytes = bytes(row, column) else { return .null }
      guard let value = columns[column].kind.value(of: bytes) else {
        throw unsuitable(column)
      }
      return value
    }

    /// The elements of an array; none for NULL.
    ///
    /// - Throws: `PostgreSQLError.unsuitableValue` for an array of several dimensions, or where an
    ///   element cannot be told.
    func list(_ row: Int, _ column: Int) throws(PostgreSQLError) -> [SQLValue] {
      guard let bytes = bytes(row, column) else { return [] }
      guard case .array(let element) = columns[column].kind,
        let values = ArrayCoding.values(of: bytes, element)
      else { throw unsuitable(column) }
      return values
    }

    private func unsuitable(_ column: Int) -> PostgreSQLError {
      .unsuitableValue(
        table: "", column: name(of: column), expected: "a value of \(columns[column].name) to tell")
    }
  }
#endif
