#if SQLite
  internal import Kinship

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  extension TablePlan {
    /// The records that a query asks for, in its order.
    func fetch(_ query: RecordQuery<R>, in connection: Connection) throws -> PartialAnswer<R> {
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
      let statement = try connection.statement(sql)
      let answer = try read(statement, expecting: 0, in: connection) { try statement.bind(values) }
      if isWhole { return answer }
      return PartialAnswer(try query.answer(from: answer.records), failures: answer.failures)
    }

    /// A query's order as a clause, an empty one for any; `nil` if SQL has another.
    func order(of query: RecordQuery<R>) -> String? {
      var terms: [String] = []
      for term in query.order {
        guard let columns = columns(of: term) else { return nil }
        // A column's own collation would sort texts otherwise than a query does.
        let direction = term.direction == .ascending ? "ASC" : "DESC"
        // SQLite sorts NULL before all else, and after it when descending.
        let isUsual = (term.nils == .first) == (term.direction == .ascending)
        let nils = isUsual ? "" : " NULLS \(term.nils == .first ? "FIRST" : "LAST")"
        terms += columns.map { "\(SQLText.quoted($0)) COLLATE BINARY \(direction)\(nils)" }
      }
      return terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
    }

    /// A query's limit and offset as a clause.
    static var slice: String { " LIMIT ? OFFSET ?" }

    /// What is bound to that clause.
    func sliceValues(of query: RecordQuery<R>) -> [SQLiteValue] {
      // Without a limit: SQLite knows an offset only after one.
      [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))]
    }

    /// Whether the rows are in the order of a property where they are in that of its column.
    func hasOrder(_ property: any AnyKeyPath & Sendable, isStoredOrder: Bool) -> Bool {
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

    /// The records that refer to one of some targets by a relationship.
    func referrers<Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<R>, in connection: Connection
    ) throws -> PartialAnswer<R> {
      if targets.isEmpty { return PartialAnswer([]) }
      let values = try targets.map { try value(of: $0, by: relationship) }
      let answer = try inChunks(of: values, columns: 1, in: connection) { chunk, log2 in
        let statement = try connection.statement(
          "\(select) WHERE \(condition(relationship, rows: 1 << log2))")
        return try read(statement, expecting: 0, in: connection) {
          try statement.bind(chunk)
          guard let last = chunk.last else { return }
          try statement.bind(
            repeatElement(last, count: 1 << log2 - chunk.count), from: Int32(chunk.count + 1))
        }
      }
      // A record with a list may have been found for targets of two chunks.
      var seen = Set<R.ID>()
      return PartialAnswer(
        answer.records.filter { seen.insert($0.id).inserted },
        failures: answer.failures.filter { failure in
          failure.ref.map { seen.insert($0.id).inserted } ?? true
        })
    }

    /// What a column holds that refers to a target: its id, or the JSON of a choice of types.
    private func value<Target: GraphRecord>(
      of target: Ref<Target>, by relationship: RecordRelationship<R>
    ) throws -> SQLiteValue {
      guard let choice = relationship.choice else {
        return try IDCoding.value(of: target.id, layout.formats)
      }
      guard let choice = choice(AnyRef(target)) as? any Encodable else {
        throw KinshipError.notCodable(type: Target.recordName)
      }
      return try ValueEncoder.value(of: choice, layout.formats)
    }

    private func condition(_ relationship: RecordRelationship<R>, rows: Int) throws -> String {
      if let list = list(of: relationship.property) {
        return list.refersToOneOf(rows, id: idColumns[0])
      }
      guard relationship.arity == .toOne, let column = column(of: relationship.property) else {
        throw KinshipError.unsupported(
          store: "SQLiteStore",
          operation:
            "finding who refers by \(R.recordName).\(relationship.name), which no column holds"
        )
      }
      return SQLText.isIn([column], rows: rows)
    }
  }
#endif
