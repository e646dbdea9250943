#if SQLite
  internal import Kinship
  internal import KinshipInspection
  internal import KinshipSQL

  /// A table whose rows are read as records.
  struct InspectedTable {
    let name: String
    let columns: [String]
    /// The columns of the primary key, in its order.
    let keys: [String]
    /// The name of the row number; `nil` if rows have none, or columns use up all its names.
    private let number: String?

    var type: TypeName { TypeName(name: name, version: 1) }

    init(_ name: String, hasNumbers: Bool, in connection: Connection) throws(SQLiteError) {
      self.name = name
      // 1 marks the hidden column of a virtual table.
      let rows = try connection.rows(
        "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
        [.text(name)])
      columns = rows.compactMap(\.[0].text)
      keys = rows.filter { $0[1] != .integer(0) }
        .sorted { (FieldValue($0[1]).int ?? 0) < (FieldValue($1[1]).int ?? 0) }
        .compactMap(\.[0].text)
      number = hasNumbers ? FoundTable.rowNumber(besides: columns) : nil
    }

    /// Finds the rows, in their order.
    ///
    /// The id of a row is its primary key, as a list if that has several columns, or the row's
    /// number.
    func records(
      from path: String, in connection: Connection
    ) throws(SQLiteError) -> [InspectedRecord] {
      let source = TableSource(self, path, connection)
      let order = number.map { [$0] } ?? keys
      if order.isEmpty { return [] }
      let rows = try connection.rows(
        """
        SELECT \(number ?? "0"), \(keys.isEmpty ? "0" : SQLText.list(keys)) \
        FROM \(SQLText.quoted(name)) ORDER BY \(number ?? SQLText.list(keys))
        """)
      return rows.map { row in
        let place = FieldValue(row[0])
        let parts = row.dropFirst().map { FieldValue($0) }
        let id = keys.isEmpty ? place : parts.count == 1 ? parts[0] : .list(parts)
        // The primary key of a table whose rows have numbers may be null.
        return InspectedRecord(
          type: type, id: id == .null ? nil : id, offset: place.int ?? 0, source: source)
      }
    }

    /// The SQL that reads a row by its number or its primary key.
    fileprivate var reading: String {
      let place = number.map { "\($0) = ?" } ?? SQLText.equals(keys)
      return "SELECT \(SQLText.list(columns)) FROM \(SQLText.quoted(name)) WHERE \(place)"
    }

    fileprivate func place(of record: InspectedRecord) -> [SQLValue] {
      if number != nil { return [.integer(Int64(record.offset))] }
      return (keys.count == 1 ? record.id.map { [$0] } : record.id?.list)?.map(\.stored) ?? []
    }
  }

  /// Reads the rows of a table by their numbers or keys.
  private final class TableSource: InspectedSource {
    let path: String
    private let table: InspectedTable
    private let connection: Connection
    private let sql: String

    init(_ table: InspectedTable, _ path: String, _ connection: Connection) {
      self.table = table
      self.path = path
      self.connection = connection
      sql = table.reading
    }

    func value(of record: InspectedRecord) throws(KinshipError) -> FieldValue {
      let row: [SQLValue]?
      do { row = try connection.rows(sql, table.place(of: record)).first } catch {
        guard error.isDamage else { throw .file(.failed(path: path, cause: error)) }
        throw .file(.damaged(record.damage("it cannot be read: \(error.sentences)")))
      }
      guard let row else {
        throw .file(.damaged(record.damage("it is in an index, and not in its table")))
      }
      var fields = RecordFields()
      for (column, value) in zip(table.columns, row) where value != .null {
        fields[column] = FieldValue(value)
      }
      return .fields(fields)
    }
  }

  extension FieldValue {
    fileprivate var stored: SQLValue {
      switch self {
      case .integer(let integer): .integer(Int64(truncatingIfNeeded: integer))
      case .number(let number): .real(number)
      case .text(let text): .text(text)
      case .data(let data): .blob(Array(data))
      default: .null
      }
    }
  }
#endif
