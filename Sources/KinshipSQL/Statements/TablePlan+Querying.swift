package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TablePlan {
  /// Fetches the records that match a query, in its order.
  package func fetch(
    _ query: RecordQuery<R>, from reader: some SQLReader
  ) throws -> PartialAnswer<R> {
    let restriction = restriction(query.filter.condition)
    var (sql, values) = (select + (restriction?.clause ?? ""), restriction?.values ?? [])
    let order = order(of: query)
    sql += order ?? ""
    let isWhole = restriction?.isExact == true && order != nil
    if isWhole, !query.isWhole {
      sql += Self.slice
      values += sliceValues(of: query)
    }
    QueryTrace.note(statement: sql)
    let answer = unambiguous(try records(sql, values, from: reader))
    if isWhole { return answer }
    return PartialAnswer(try query.answer(from: answer.records), failures: answer.failures)
  }

  /// Returns the records of a statement's rows.
  package func records(
    _ sql: String, _ values: [SQLValue], from reader: some SQLReader
  ) throws -> PartialAnswer<R> {
    let answer = try reader.withRows(of: sql, values, layout) { row in try table.read(row, 0) }
    reader.note(rowsRead: answer.records.count + answer.failures.count)
    return answer
  }

  /// Returns a query's order as a clause, empty for any order; `nil` if SQL sorts differently.
  package func order(of query: RecordQuery<R>) -> String? {
    var terms: [String] = []
    for term in query.order {
      guard let columns = columns(of: term) else { return nil }
      // A column's own collation would sort texts differently from the query.
      let direction = term.direction == .ascending ? "ASC" : "DESC"
      let isFirst = (term.direction == .ascending) == dialect.sortsNullFirst
      let nils = isFirst == (term.nils == .first) ? "" : " NULLS \(isFirst ? "LAST" : "FIRST")"
      for column in columns {
        let kind = kind(ofColumn: column)
        if kind == .other { return nil }
        terms.append("\(dialect.byBytes(SQLText.quoted(column), kind)) \(direction)\(nils)")
      }
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
  }

  /// The clause for a query's limit and offset.
  static var slice: String { " LIMIT ? OFFSET ?" }

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
      throw KinshipError.notCodable(type: Target.recordName)
    }
    return try ValueEncoder.value(of: choice, layout.formats)
  }

  /// Returns a `WHERE` condition for rows that refer to one of some targets.
  ///
  /// `isOne` creates the condition for a quoted column.
  package func condition(
    _ relationship: RecordRelationship<R>, _ isOne: (String) -> String
  ) throws -> String {
    if let list = list(of: relationship.property) {
      return list.place.refersToOne(isOne, id: idColumns[0])
    }
    guard relationship.arity == .toOne, let column = column(of: relationship.property) else {
      throw KinshipError.unsupported(
        store: dialect.store,
        operation:
          "finding who refers by \(R.recordName).\(relationship.name), which no column holds"
      )
    }
    return isOne(SQLText.quoted(column))
  }
}
