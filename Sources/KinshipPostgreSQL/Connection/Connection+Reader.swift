#if PostgreSQL
  internal import KinshipSQL

  extension Connection: SQLReader {
    /// Runs a statement whose parameters are question marks, as KinshipSQL writes them.
    func withRows<Result>(
      of sql: String, _ values: [SQLValue], _ layout: RowLayout,
      _ body: (borrowing SQLRow) throws -> Result
    ) throws -> Result {
      let parameters = try values.map { try PostgreSQLType.of($0).parameter($0) }
      let rows = try query(Self.numbered(sql), parameters)
      return try body(SQLRow(PostgreSQLCells(beforeFirstOf: rows), layout: layout))
    }

    func note(rowsRead count: Int) {}

    /// Returns a statement with numbers in place of its question marks, such as `$1`.
    ///
    /// Names in double quotes do not change.
    static func numbered(_ sql: String) -> String {
      var numbered: [UInt8] = []
      numbered.reserveCapacity(sql.utf8.count + 16)
      var (number, isQuoted) = (0, false)
      for byte in sql.utf8 {
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: "?"), !isQuoted {
          number += 1
          numbered += Array("$\(number)".utf8)
        } else {
          numbered.append(byte)
        }
      }
      return String(decoding: numbered, as: UTF8.self)
    }
  }

  extension PostgreSQLType {
    /// Returns the type as which a value is compared.
    static func of(_ value: SQLValue) -> PostgreSQLType {
      switch value {
      case .integer: .int8
      case .real: .float8
      case .blob: .bytea
      case .text: .text
      case .null: .int8
      }
    }
  }
#endif
