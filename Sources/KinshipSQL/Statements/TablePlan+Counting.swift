package import Kinship

extension TablePlan {
  /// How many records a query asks for; `nil` if they must be read for that.
  package func count(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> Int? {
    // All rows of a table are counted without reading them, if that is all that is asked.
    let columns = query.isWhole ? "count(*)" : "1"
    guard let (rows, values) = try rows(columns, of: query.unordered) else { return nil }
    let sql = query.isWhole ? rows : "SELECT count(*) FROM (\(rows)) AS found"
    return try read(sql, values, layout, from: reader) { row in
      row.cells.integer(at: 0).map { Int($0) }
    }?.first
  }

  /// The refs of the records that a query asks for, in its order; `nil` if the records must be
  /// read for that.
  package func refs(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> [Ref<R>]? {
    guard let (sql, values) = try rows(SQLText.list(idColumns), of: query) else { return nil }
    return try read(sql, values, idLayout, from: reader) { row in
      row.recordID(of: R.self).map { Ref($0) }
    }
  }

  /// How many records have which value of a property; `nil` if they must be read for that.
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
    // An integer and a number that are equal are one group to SQL: no property is both.
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

  /// A statement that reads columns of the rows that a query asks for, in its order, and what is
  /// bound to it; `nil` if SQL cannot tell which rows these are.
  private func rows(
    _ columns: String, of query: RecordQuery<R>
  ) throws -> (sql: String, values: [SQLValue])? {
    guard let restriction = restriction(query.filter.condition), restriction.isExact,
      let order = order(of: query)
    else { return nil }
    let sql = "SELECT \(columns) FROM \(SQLText.quoted(table.name))\(restriction.clause)\(order)"
    if query.isWhole { return (sql, restriction.values) }
    return (sql + dialect.slice, restriction.values + sliceValues(of: query))
  }

  /// What a closure makes of each row of a statement; `nil` as soon as it makes nothing of one.
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
