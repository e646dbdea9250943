#if SQLite
  internal import KinshipSQL

  extension FoundTable {
    /// Finds a table or view in a database.
    init(_ name: String, in connection: Connection) throws {
      let rows = try connection.rows(
        """
        SELECT name, hidden, type, (SELECT strict FROM pragma_table_list(?1)),
          dflt_value IS NOT NULL,
          EXISTS (SELECT 1 FROM pragma_table_list(?1) WHERE type = 'view')
        FROM pragma_table_xinfo(?1)
        """, [.text(name)])
      if rows.isEmpty { throw SQLMappingError.noTable(name) }
      let columns = rows.compactMap { row -> Column? in
        // 1 marks the hidden column of a virtual table; 2 and 3 mark generated columns.
        guard case .text(let name) = row[0], row[1] != .integer(1) else { return nil }
        return Column(
          name: name, isGenerated: row[1] != .integer(0),
          kind: ColumnKind(declared: row[2].text ?? "", isStrict: row[3] == .integer(1)),
          hasDefault: row[4] == .integer(1))
      }
      // Rows have a number with this name that is not among the columns.
      self.init(
        name, columns: columns, ignoresCase: true, isView: rows[0][5] == .integer(1),
        hidden: Self.rowNumbers)
    }

    private static let rowNumbers = ["rowid", "_rowid_", "oid"]

    /// Returns a name of the row number that no column has; `nil` if columns use up all its names.
    static func rowNumber(besides columns: [String]) -> String? {
      rowNumbers.first { number in !columns.contains { ColumnName.areEqual($0, number) } }
    }
  }

  extension ColumnKind {
    /// Determines a column's affinity, by which SQLite converts values, from its declared type.
    init(declared type: String, isStrict: Bool) {
      let type = type.uppercased()
      func has(_ names: String...) -> Bool { names.contains { type.contains($0) } }
      self =
        if has("INT") {
          .number(isReal: false)
        } else if has("CHAR", "CLOB", "TEXT") {
          .text
        } else if type.isEmpty || has("BLOB") || isStrict && type == "ANY" {
          .any
        } else {
          .number(isReal: has("REAL", "FLOA", "DOUB"))
        }
    }

    /// Checks that a column stores a value unchanged.
    func check(_ value: SQLValue, in column: String) throws(SQLMappingError) {
      guard let conversion = conversion(of: value) else { return }
      throw .notStorable("in the column “\(column)”, the \(conversion)")
    }

    /// Describes how SQLite would convert a value so that it reads back differently; `nil` if it
    /// keeps the value.
    private func conversion(of value: SQLValue) -> String? {
      switch (self, value) {
      case (.text, .integer), (.text, .real): "number would become a text; declare it without TEXT"
      case (.number(isReal: true), .integer):
        "integer would become a floating-point number; declare it INTEGER"
      case (.number, .text(let text)):
        text.trimmed.looksNumeric ? "text would become a number; declare it TEXT" : nil
      default: nil
      }
    }
  }

  extension String {
    /// The text without surrounding spaces, which SQLite ignores in a number.
    fileprivate var trimmed: String {
      let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
      guard let first = utf8.firstIndex(where: { !spaces.contains($0) }),
        let last = utf8.lastIndex(where: { !spaces.contains($0) })
      else { return "" }
      return String(self[first...last])
    }
  }
#endif
