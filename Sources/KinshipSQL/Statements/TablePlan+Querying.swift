package import Kinship

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TablePlan {
  /// The records that a query asks for, in its order.
  package func fetch(
    _ query: RecordQuery<R>, from reader: some SQLReader
  ) throws -> PartialAnswer<R> {
    let restriction = restriction(query.filter.condition)
    var (sql, values) = (select + (restriction?.clause ?? ""), restriction?.values ?? [])
    let order = order(of: query)
    sql += order ?? ""
    let isWhole = restriction?.isExact == true && order != nil
    if isWhole, !query.isWhole {
      sql += dialect.slice
      values += sliceValues(of: query)
    }
    QueryTrace.note(statement: sql)
    let answer = unambiguous(try records(sql, values, from: reader))
    if isWhole { return answer }
    return PartialAnswer(try query.answer(from: answer.records), failures: answer.failures)
  }

  /// The records of a statement's rows.
  package func records(
    _ sql: String, _ values: [SQLValue], from reader: some SQLReader
  ) throws -> PartialAnswer<R> {
    let answer = try reader.withRows(of: sql, values, layout) { row in try table.read(row, 0) }
    reader.note(rowsRead: answer.records.count + answer.failures.count)
    return answer
  }

  /// A query's order as a clause, an empty one for any; `nil` if SQL has another.
  package func order(of query: RecordQuery<R>) -> String? {
    var terms: [String] = []
    for term in query.order {
      guard let columns = columns(of: term) else { return nil }
      // A column's own collation would sort texts otherwise than a query does.
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

  /// What is bound to the clause of a query's limit and offset.
  package func sliceValues(of query: RecordQuery<R>) -> [SQLValue] {
    // Without a limit too: an offset stands only after one.
    [query.limit.map { .integer(Int64($0)) } ?? dialect.noLimit, .integer(Int64(query.offset))]
  }

  /// Whether the rows are in the order of a property where they are in that of its column.
  package func hasOrder(_ property: any AnyKeyPath & Sendable, isStoredOrder: Bool) -> Bool {
    // A date may be written in several ways, and as a text it is sorted by these.
    let type = type(of: property as AnyKeyPath).valueType
    let isDate = type == Date.self || type == Date?.self
    return isStoredOrder && !(isDate && layout.formats.dates == .text)
  }

  private func columns(of term: SortTerm<R>) -> [String]? {
    if term.isTotal { return table.id.order }
    guard hasOrder(term.property, isStoredOrder: term.isStoredOrder) else { return nil }
    return column(of: term.property).map { [$0] }
  }

  /// Each record once, though it was found several times: for several targets that it refers to,
  /// or in several generations of a graph.
  package func distinct(_ answer: PartialAnswer<R>) -> PartialAnswer<R> {
    if answer.failures.isEmpty, answer.records.map({ $0.id }).firstRepeat == nil { return answer }
    var seen = Set<R.ID>()
    return PartialAnswer(
      answer.records.filter { seen.insert($0.id).inserted },
      failures: answer.failures.filter { failure in
        failure.ref.map { seen.insert($0.id).inserted } ?? true
      })
  }

  /// What a column holds that refers to a target: its id, or the JSON of a choice of types.
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

  /// What stands in `WHERE` for the rows that refer to one of some targets: `isOne` says it of a
  /// quoted column.
  package func condition(
    _ relationship: RecordRelationship<R>, _ isOne: (String) -> String
  ) throws -> String {
    if let list = list(of: relationship.property) {
      return list.refersToOne(isOne, id: idColumns[0])
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
