#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
package import Kinship

extension TablePlan {
  /// Returns the part of a query that SQL can answer; if `isExact`, without finding other rows, as
  /// it may if texts are compared.
  package func support(
    for query: RecordQuery<R>, isExact: Bool = false
  ) -> QuerySupport<R> {
    query.support(
      filters: { restriction($0).map { $0.isExact || !isExact } ?? false },
      sorts: { clauses(of: $0) != nil },
      starts: query.start.map { rows(after: $0.values, in: query.order) != nil } ?? true)
  }

  /// Fetches the records that match a query, in its order.
  ///
  /// One statement suffices if SQL can evaluate the query. Otherwise, the query is finished as a
  /// cache finishes it.
  package func fetch(
    _ query: RecordQuery<R>,
    reading read: (_ sql: String, _ values: [SQLValue]) async throws -> PartialAnswer<R>
  ) async throws -> PartialAnswer<R> {
    func records(_ rows: Statement) async throws -> PartialAnswer<R> {
      QueryTrace.record(statement: rows.sql)
      let answer = unambiguous(try await read(rows.sql, rows.values))
      QueryTrace.record { $0.recordsLookedAt += answer.records.count }
      return answer
    }
    var answer = PartialAnswer<R>([])
    if let rows = rows(select, of: query) {
      answer = try await records(rows)
    } else {
      let part = query.filter.part { restriction($0) != nil }
      let filter = restriction(part.condition) ?? SQLRestriction("TRUE")
      answer =
        try await query.records(
          by: support(for: query, isExact: true),
          isWhole: { support(for: $0, isExact: true).isWhole },
          fetching: { try await records(statement(select, filter, of: $0)) }) ?? answer
    }
    return answer.failures.isEmpty ? answer : distinct(answer)
  }

  package func records(
    _ sql: String, _ values: [SQLValue], from reader: some SQLReader
  ) throws -> PartialAnswer<R> {
    let answer = try reader.withRows(of: sql, values, layout) { row in try table.read(row, 0) }
    reader.count(rowsRead: answer.records.count + answer.failures.count)
    return answer
  }

  /// Returns a query's order as a clause, empty for any order; `nil` if SQL sorts differently.
  package func order(of query: RecordQuery<R>) -> String? {
    var terms: [String] = []
    for term in query.order {
      guard let clauses = clauses(of: term) else { return nil }
      terms += clauses
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
  }

  /// Returns a sort term's clauses, one for each column; `nil` if SQL sorts differently.
  private func clauses(of term: SortTerm<R>) -> [String]? {
    let columns = columns(of: term)
    guard let columns, columns.allSatisfy({ kind(ofColumn: $0) != .other }) else { return nil }
    let direction = term.direction == .ascending ? "ASC" : "DESC"
    let isFirst = (term.direction == .ascending) == dialect.sortsNullFirst
    let nils = isFirst == (term.nils == .first) ? "" : " NULLS \(isFirst ? "LAST" : "FIRST")"
    return columns.map { column in
      // A column's own collation would sort texts differently from the query.
      let sorted = dialect.byBytes(SQLText.quoted(column), kind(ofColumn: column))
      return "\(sorted) \(direction)\(nils)"
    }
  }

  /// The clause for a query's limit and offset.
  private static var slice: String { " LIMIT ? OFFSET ?" }

  /// Returns the values for the clause of a query's limit and offset.
  package func sliceValues(of query: RecordQuery<R>) -> [SQLValue] {
    // The limit is always bound, because an offset requires one.
    [query.limit.map { .integer(Int64($0)) } ?? dialect.noLimit, .integer(Int64(query.offset))]
  }

  /// Returns whether sorting by a property's column sorts by the property.
  package func hasOrder(_ property: any AnyKeyPath & Sendable, isStoredOrder: Bool) -> Bool {
    // A date can be written in several ways, and as a text it would sort by these.
    let type = type(of: property as AnyKeyPath).valueType
    let isDate = type == Date.self || type == Date?.self
    return isStoredOrder && !(isDate && layout.formats.dates == .text)
  }

  private func columns(of term: SortTerm<R>) -> [String]? {
    if term.isTotal { return table.id.order }
    guard hasOrder(term.property, isStoredOrder: term.isStoredOrder) else { return nil }
    return column(of: term.property).map { [$0] }
  }

  /// Removes duplicate records, found for several targets or in several generations of a graph.
  package func distinct(_ answer: PartialAnswer<R>) -> PartialAnswer<R> {
    if answer.failures.isEmpty, answer.records.map({ $0.id }).firstRepeat == nil { return answer }
    var seen = Set<R.ID>()
    return PartialAnswer(
      answer.records.filter { seen.insert($0.id).inserted },
      failures: answer.failures.filter { failure in
        failure.ref.map { seen.insert($0.id).inserted } ?? true
      })
  }

  /// Returns the column value that refers to a target: its id, or the JSON of a choice of types.
  package func value<Target: GraphRecord>(
    of target: Ref<Target>, by relationship: RecordRelationship<R>
  ) throws -> SQLValue {
    guard let choice = relationship.choice else {
      return try IDCoding.value(of: target.id, layout.formats)
    }
    guard let choice = choice(AnyRef(target)) as? any Encodable else {
      throw KinshipError.invalidSchema(.notCodable(type: Target.recordName))
    }
    return try ValueEncoder.value(of: choice, layout.formats)
  }

  /// Returns a `WHERE` condition for rows that refer to one of some targets, from one for a column.
  package func condition(
    _ relationship: RecordRelationship<R>, _ isOne: (String) -> String
  ) throws -> String {
    if let list = list(of: relationship.property) {
      return list.place.refersToOne(isOne, id: idColumns[0])
    }
    guard relationship.arity == .toOne, let column = column(of: relationship.property) else {
      throw KinshipError.misuse(
        .unsupported(
          store: dialect.store,
          operation:
            "a search for records that refer by \(R.recordName).\(relationship.name), which no "
            + "column holds"
        ))
    }
    return isOne(SQLText.quoted(column))
  }
}

extension TablePlan {
  /// Returns the number of records that match a query; `nil` if that requires reading them.
  package func count(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> Int? {
    // To count all rows of a table, the database need not read them if nothing else is selected.
    let columns = query.isUnlimited ? "count(*)" : "1"
    guard let rows = rows("SELECT \(columns) FROM \(name)", of: query.unordered) else { return nil }
    let sql = query.isUnlimited ? rows.sql : "SELECT count(*) FROM (\(rows.sql)) AS found"
    return try read(sql, rows.values, layout, from: reader) { row in
      row.cells.integer(at: 0).map { Int($0) }
    }?.first
  }

  /// Returns the refs of the records that match a query, in its order; `nil` if that requires
  /// reading the records.
  package func refs(_ query: RecordQuery<R>, from reader: some SQLReader) throws -> [Ref<R>]? {
    guard let rows = rows("SELECT \(SQLText.list(idColumns)) FROM \(name)", of: query) else {
      return nil
    }
    return try read(rows.sql, rows.values, idLayout, from: reader) { row in
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
      let rows = rows(
        "SELECT \(SQLText.quoted(column)) AS value FROM \(name)", of: query.orderedAsNeeded)
    else { return nil }
    // SQL groups an integer with an equal number, but no property has both.
    let sql = """
      SELECT value, count(*), \(dialect.isOneKind) FROM (\(rows.sql)) AS found \
      GROUP BY \(dialect.equalByBytes("value", kind))
      """
    let groups = try read(sql, rows.values, layout, from: reader) { row -> (value: Value, Int)? in
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

  private typealias Statement = (sql: String, values: [SQLValue], isWhole: Bool)

  private var name: String { SQLText.quoted(table.name) }

  /// Returns a statement for the rows that match a query, in its order; `nil` if SQL cannot
  /// evaluate the query.
  private func rows(_ selection: String, of query: RecordQuery<R>) -> Statement? {
    let rows = restriction(query.filter.condition).map { statement(selection, $0, of: query) }
    return rows?.isWhole == true ? rows : nil
  }

  /// Returns a statement for the rows that match a condition, with as much of a query's start and
  /// order as SQL can evaluate.
  private func statement(
    _ selection: String, _ filter: SQLRestriction, of query: RecordQuery<R>
  ) -> Statement {
    var filter = filter
    if let start = query.start {
      let following = rows(after: start.values, in: query.order)
      filter.isExact = filter.isExact && following != nil
      if let following {
        filter = filter.clause.isEmpty ? following : filter.joined("AND", following)
      }
    }
    let order = order(of: query)
    let sql = "\(selection)\(filter.clause)\(order ?? "")"
    let isWhole = filter.isExact && order != nil
    if query.isUnlimited { return (sql, filter.values, isWhole) }
    return (sql + Self.slice, filter.values + sliceValues(of: query), isWhole)
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
