#if SQLite
  internal import CSQLite
  internal import Kinship

  extension TablePlan {
    /// How many records a query asks for; `nil` if they must be read for that.
    func count(_ query: RecordQuery<R>, in connection: Connection) throws -> Int? {
      // SQLite counts all rows of a table without reading them, if that is all that it is told.
      let columns = query.isWhole ? "count(*)" : "1"
      guard let (rows, values) = try rows(columns, of: query.unordered) else { return nil }
      let sql = query.isWhole ? rows : "SELECT count(*) FROM (\(rows))"
      guard case .integer(let count)? = try connection.rows(sql, values).first?.first else {
        return nil
      }
      return Int(count)
    }

    /// The refs of the records that a query asks for, in its order; `nil` if the records must be
    /// read for that.
    func refs(_ query: RecordQuery<R>, in connection: Connection) throws -> [Ref<R>]? {
      guard let (sql, values) = try rows(SQLText.list(idColumns), of: query) else { return nil }
      return try read(sql, values, idLayout, in: connection) { row in
        row.recordID(of: R.self).map { Ref($0) }
      }
    }

    /// How many records have which value of a property; `nil` if they must be read for that.
    func counts<Value: Hashable & Sendable>(
      of property: any KeyPath<R, Value> & Sendable, _ query: RecordQuery<R>,
      in connection: Connection
    ) throws -> [Value: Int]? {
      guard MemoryLayout<R>.offset(of: property) != nil,
        property != \R.id || idColumns.count == 1, let column = column(of: property),
        let type = Value.self as? any Decodable.Type,
        let (rows, values) = try rows(
          "\(SQLText.quoted(column)) AS value", of: query.orderedAsNeeded)
      else { return nil }
      // An integer and a number that are equal are one group to SQL: no property is both.
      let sql = """
        SELECT value, count(*), min(typeof(value)) = max(typeof(value)) FROM (\(rows)) \
        GROUP BY value COLLATE BINARY
        """
      let groups = try read(sql, values, layout, in: connection) { row -> (value: Value, Int)? in
        let value = try? ValueDecoder.decode(type, from: row.storedValue(at: 0), layout.formats)
        guard let value = value as? Value, case .integer(let count) = row.storedValue(at: 1),
          row.storedValue(at: 2) == .integer(1)
        else { return nil }
        return (value, Int(count))
      }
      guard let groups else { return nil }
      var counts = ValueCounts<Value>()
      for (value, count) in groups { counts.add(value, count) }
      return counts.dictionary
    }

    /// A statement that reads columns of the rows that a query asks for, in its order, and what is
    /// bound to it; `nil` if SQL cannot tell which rows these are.
    private func rows(
      _ columns: String, of query: RecordQuery<R>
    ) throws -> (sql: String, values: [SQLiteValue])? {
      guard let restriction = restriction(query.filter.condition), restriction.isExact,
        let order = order(of: query)
      else { return nil }
      let sql = "SELECT \(columns) FROM \(SQLText.quoted(table.name))\(restriction.clause)\(order)"
      if query.isWhole { return (sql, restriction.values) }
      return (sql + Self.slice, restriction.values + sliceValues(of: query))
    }

    /// What a closure makes of each row of a statement; `nil` as soon as it makes nothing of one.
    private func read<Value>(
      _ sql: String, _ values: [SQLiteValue], _ layout: RowLayout, in connection: Connection,
      _ body: (borrowing SQLiteRow) throws -> Value?
    ) throws -> [Value]? {
      let statement = try connection.statement(sql)
      defer { statement.reset() }
      try statement.bind(values)
      let row = SQLiteRow(statement: statement.pointer, layout: layout)
      var found: [Value] = []
      while try row.advance(after: found.count) {
        guard let value = try body(row) else { return nil }
        found.append(value)
      }
      return found
    }
  }
#endif
