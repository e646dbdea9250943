#if SQLite
  internal import KinshipSQL

  extension FoundTable {
    /// Looks for a table or view in a database.
    ///
    /// - Throws: `SQLMappingError.noTable` if it is not there.
    init(_ name: String, in connection: Connection) throws {
      let rows = try connection.rows(
        "SELECT name, hidden FROM pragma_table_xinfo(?)", [.text(name)])
      if rows.isEmpty { throw SQLMappingError.noTable(name) }
      let columns = rows.compactMap { row -> Column? in
        // 1 is the hidden column of a virtual table; 2 and 3 are generated.
        guard case .text(let name) = row[0], row[1] != .integer(1) else { return nil }
        return Column(name: name, isGenerated: row[1] != .integer(0), kind: .any)
      }
      let isView =
        try connection.rows(
          "SELECT 1 FROM pragma_table_list(?) WHERE type = 'view'", [.text(name)]
        ).isEmpty == false
      // Rows have a number, named so, that is not among the columns.
      self.init(
        name, columns: columns, ignoresCase: true, isView: isView,
        hidden: ["rowid", "oid", "_rowid_"])
    }
  }
#endif
