#if PostgreSQL
  /// The order in which rows are inserted into tables that refer to one another.
  enum TableRanks {
    /// Gives each table a rank that is higher than those of the tables that it refers to.
    ///
    /// If tables refer to each other, this holds for the one that is visited first.
    static func of(_ tables: [UInt32], in connection: Connection) throws -> [UInt32: Int] {
      let numbers = try PostgreSQLType.oid.parameter(arrayOf: tables.map { .integer(Int64($0)) })
      let cells = PostgreSQLCells(
        beforeFirstOf:
          try connection.query(
            """
            SELECT conrelid, confrelid FROM pg_catalog.pg_constraint
            WHERE contype = 'f' AND conrelid = ANY($1) AND confrelid = ANY($1)
            """, [numbers]))
      var targets: [UInt32: [UInt32]] = [:]
      while cells.advance() {
        guard let from = cells.integer(at: 0).flatMap({ UInt32(exactly: $0) }),
          let to = cells.integer(at: 1).flatMap({ UInt32(exactly: $0) })
        else { continue }
        targets[from, default: []].append(to)
      }
      return ranks(tables.sorted(), targets)
    }

    static func ranks(_ tables: [UInt32], _ targets: [UInt32: [UInt32]]) -> [UInt32: Int] {
      var ranks: [UInt32: Int] = [:]
      var visited: Set<UInt32> = []
      func visit(_ table: UInt32) {
        guard visited.insert(table).inserted else { return }
        for target in targets[table] ?? [] { visit(target) }
        ranks[table] = ranks.count
      }
      for table in tables { visit(table) }
      return ranks
    }
  }
#endif
