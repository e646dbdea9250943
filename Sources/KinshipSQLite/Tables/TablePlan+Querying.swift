#if SQLite
  internal import Kinship

  extension TablePlan {
    /// The records that a query asks for, in its order.
    func fetch(_ query: RecordQuery<R>, in connection: Connection) throws -> PartialAnswer<R> {
      let restriction = restriction(query.filter.condition)
      var (sql, values) = (select + (restriction?.clause ?? ""), restriction?.values ?? [])
      let order = order(query.order)
      if let order, !order.isEmpty { sql += " ORDER BY \(order.joined(separator: ", "))" }
      let isWhole = restriction?.isExact == true && order != nil
      if isWhole, query.limit != nil || query.offset > 0 {
        sql += " LIMIT ? OFFSET ?"
        // Without a limit: SQLite knows an offset only after one.
        values += [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))]
      }
      let statement = try connection.statement(sql)
      let answer = try read(statement, expecting: 0, in: connection) { try statement.bind(values) }
      if isWhole { return answer }
      return PartialAnswer(try query.answer(from: answer.records), failures: answer.failures)
    }

    /// How many records a query asks for; `nil` if they must be read for that.
    func count(_ query: RecordQuery<R>, in connection: Connection) throws -> Int? {
      guard let restriction = restriction(query.filter.condition), restriction.isExact else {
        return nil
      }
      let rows = try connection.rows(
        "SELECT count(*) FROM \(SQLText.quoted(table.name))\(restriction.clause)",
        restriction.values)
      guard case .integer(let count)? = rows.first?.first else { return nil }
      return query.count(of: Int(count))
    }

    /// What to sort rows by; `nil` if SQL has another order.
    private func order(_ terms: [SortTerm<R>]) -> [String]? {
      var order: [String] = []
      for term in terms {
        guard let columns = columns(of: term) else { return nil }
        // A column's own collation would sort texts otherwise than a query does.
        let direction = term.direction == .ascending ? "ASC" : "DESC"
        // SQLite sorts NULL before all else, and after it when descending.
        let isUsual = (term.nils == .first) == (term.direction == .ascending)
        let nils = isUsual ? "" : " NULLS \(term.nils == .first ? "FIRST" : "LAST")"
        order += columns.map { "\(SQLText.quoted($0)) COLLATE BINARY \(direction)\(nils)" }
      }
      return order
    }

    private func columns(of term: SortTerm<R>) -> [String]? {
      if term.isTotal { return table.id.order }
      guard term.isStoredOrder else { return nil }
      return column(of: term.property).map { [$0] }
    }

    /// The records that refer to one of some targets by a relationship.
    func referrers<Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<R>, in connection: Connection
    ) throws -> PartialAnswer<R> {
      if targets.isEmpty { return PartialAnswer([]) }
      let values = try targets.map { try IDCoding.value(of: $0.id, layout.formats) }
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
