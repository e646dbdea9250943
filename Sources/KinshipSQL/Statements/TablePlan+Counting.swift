package import Kinship

extension TablePlan {
  /// Returns the number of records that match a query; `nil` if that requires reading them.
  package func count(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> Int? {
    // To count all rows of a table, the database need not read them if nothing else is selected.
    let columns = query.isWhole ? "count(*)" : "1"
    guard let (rows, values) = try rows(columns, of: query.unordered) else { return nil }
    let sql = query.isWhole ? rows : "SELECT count(*) FROM (\(rows)) AS found"
    return try read(sql, values, layout, from: reader) { row in
      row.cells.integer(at: 0).map { Int($0) }
    }?.first
  }

  /// Returns the refs of the records that match a query, in its order; `nil` if that requires
  /// reading the records.
  package func refs(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> [Ref<R>]? {
    guard let (sql, values) = try rows(SQLText.list(idColumns), of: query) else { return nil }
    return try read(sql, values, idLayout, from: reader) { row in
      row.recordID(of: R.self).map { Ref($0) }
    }
  }

  /// Returns the number of records for each value of a property; `nil` if that requires reading
  /// them.
  package func counts<Value: Hashable & Sendable>(
    of property: any KeyPath<R, Value> & Sendable, _ query: RecordQuery<R>,
    from reader: some SQLReader
  ) throws -> [Value: Int]? {
    guard MemoryLayout<R>.offset(of: property) != nil,
      property != \R.id || idColumns.count == 1, let column = column(of: property),
      case let kind = kind(ofColumn: column), kind != .other,
      let type = Value.self as? any Decodable.Type,
      let (rows, values) = try rows(
        "\(SQLText.quoted(column)) AS value", of: query.orderedAsNeeded)
    else { return nil }
    // SQL groups an integer with an equal number, but no property has both.
    let sql = """
      SELECT value, count(*), \(dialect.isOneKind) FROM (\(rows)) AS found \
      GROUP BY \(dialect.equalByBytes("value", kind))
      """
    let groups = try read(sql, values, layout, from: reader) { row -> (value: Value, Int)? in
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

  /// Returns a statement for columns of the rows that match a query, in its order, with its values;
  /// `nil` if SQL cannot evaluate the query.
  private func rows(
    _ columns: String, of query: RecordQuery<R>
  ) throws -> (sql: String, values: [SQLValue])? {
    guard let restriction = restriction(query.filter.condition), restriction.isExact,
      let order = order(of: query)
    else { return nil }
    let sql = "SELECT \(columns) FROM \(SQLText.quoted(table.name))\(restriction.clause)\(order)"
    if query.isWhole { return (sql, restriction.values) }
    return (sql + Self.slice, restriction.values + sliceValues(of: query))
  }

  /// Returns a closure's result for each row; `nil` as soon as the closure returns `nil`.
  private func read<Value>(
    _ sql: String, _ values: [SQLValue], _ layout: RowLayout, from reader: some SQLReader,
    _ body: (borrowing SQLRow) throws -> Value?
  ) throws -> [Value]? {
    try reader.withRows(of: sql, values, layout) { row in
      var found: [Value] = []
      while try row.advance(after: found.count) {
        guard let value = try body(row) else { return nil }
        found.append(value)
      }
      return found
    }
  }
}
