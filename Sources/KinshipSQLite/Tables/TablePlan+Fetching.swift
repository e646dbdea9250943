#if SQLite
  internal import Kinship
  internal import KinshipSQL

  extension TablePlan {
    func fetch(_ ids: [R.ID], in connection: Connection) throws -> PartialAnswer<R> {
      if ids.isEmpty { return PartialAnswer([]) }
      return try completed(rows(with: ids, in: connection), of: ids, from: connection) { rows in
        try records(
          "\(select) WHERE \(SQLText.isIn(idColumns, rows: rows.count))", rows.flatMap { $0 },
          from: connection)
      }
    }

    private func rows(with ids: [R.ID], in connection: Connection) throws -> PartialAnswer<R> {
      // One id is found at once. From two ids on, `IN` takes longer than a list.
      if ids.count > 1, let list = try list(of: ids) {
        let statement = try connection.statement(.fetchListed(table: number)) {
          () throws(SQLiteError) in try fetchListed(in: connection)
        }
        return try read(statement, expecting: list.count, in: connection) {
          try statement.bind(list, at: 1)
        }
      }
      return try inChunks(of: ids, in: connection) { chunk, log2 in
        let statement = try connection.statement(.fetch(table: number, log2: log2)) {
          "\(select) WHERE \(SQLText.isIn(idColumns, rows: 1 << log2))"
        }
        return try read(statement, expecting: chunk.count, in: connection) {
          try bind(chunk, to: statement, rows: 1 << log2)
        }
      }
    }

    /// Returns ids as a list, if they are integers of one column.
    private func list(of ids: [R.ID]) throws -> IDList? {
      guard idColumns.count == 1, case .integer = try table.idValue(ids[0], layout.formats) else {
        return nil
      }
      var integers: [Int64] = []
      integers.reserveCapacity(ids.count)
      for value in try table.idValues(ids[...], layout.formats) {
        guard case .integer(let integer) = value else { return nil }
        integers.append(integer)
      }
      return IDList(integers)
    }

    func fetchListed(in connection: Connection) throws(SQLiteError) -> String {
      let (name, column) = (SQLText.quoted(table.name), SQLText.quoted(idColumns[0]))
      let search = """
        \(selection) FROM \(IDList.table)(?) CROSS JOIN \(name) \
        ON \(name).\(column) = +\(IDList.table).id
        """
      let isSearched = try connection.steps(of: search).dropFirst().allSatisfy {
        $0.hasPrefix("SEARCH") && !$0.contains("AUTOMATIC")
      }
      // A view, or a table without an index of the ids, is scanned; once is enough.
      return isSearched
        ? search : "\(select) WHERE \(column) IN (SELECT +id FROM \(IDList.table)(?))"
    }

    /// Combines the records of each chunk of ids that a statement can take, from one state of the
    /// database.
    func inChunks<ID>(
      of ids: [ID], columns: Int? = nil, in connection: Connection,
      _ body: (ArraySlice<ID>, _ log2: Int) throws -> PartialAnswer<R>
    ) throws -> PartialAnswer<R> {
      let chunks = connection.chunks(of: ids, columns: columns ?? idColumns.count)
      if chunks.count == 1 { return try body(chunks[0].elements, chunks[0].log2) }
      func all() throws -> PartialAnswer<R> {
        var records: [R] = []
        var failures: [PartialAnswer<R>.Failure] = []
        for (chunk, log2) in chunks {
          try Task.checkCancellation()
          let answer = try body(chunk, log2)
          records += answer.records
          failures += answer.failures
        }
        return PartialAnswer(records, failures: failures)
      }
      if connection.isInTransaction { return try all() }
      return try connection.transaction("DEFERRED", all)
    }

    /// Binds ids, and repeats the last one for the remaining parameters.
    func bind(_ ids: ArraySlice<R.ID>, to statement: Statement, rows: Int) throws {
      let width = idColumns.count
      var last: [SQLValue] = []
      if width == 1 {
        // Use one loop that knows the type of the ids, because there are many.
        let values = try table.idValues(ids, layout.formats)
        try statement.bind(values)
        last = values.suffix(1)
      } else {
        for (place, id) in ids.enumerated() {
          let values = try values(of: id)
          try statement.bind(values, from: 1 + Int32(place * width))
          last = values
        }
      }
      for row in ids.count..<rows { try statement.bind(last, from: 1 + Int32(row * width)) }
    }

    func read(
      _ statement: Statement, expecting count: Int, in connection: Connection,
      binding bind: () throws -> Void
    ) throws -> PartialAnswer<R> {
      defer { statement.reset() }
      try bind()
      let answer = try table.read(SQLRow(SQLiteCells(statement), layout: layout), count)
      connection.count(rowsRead: answer.records.count + answer.failures.count)
      return answer
    }
  }

  extension TablePlan {
    func referrers<Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<R>, in connection: Connection
    ) throws -> PartialAnswer<R> {
      if targets.isEmpty { return PartialAnswer([]) }
      let values = try values(of: targets, by: relationship, from: connection)
      let answer = try inChunks(of: values, columns: 1, in: connection) { chunk, log2 in
        let condition = try condition(relationship) { column in
          "\(column) IN (\(SQLText.repeated("?", 1 << log2)))"
        }
        let statement = try connection.statement("\(select) WHERE \(condition)")
        return try read(statement, expecting: 0, in: connection) {
          try statement.bind(chunk)
          guard let last = chunk.last else { return }
          try statement.bind(
            repeatElement(last, count: 1 << log2 - chunk.count), from: Int32(chunk.count + 1))
        }
      }
      // Two chunks of targets may both have found a record with a list.
      return only(distinct(answer), referringTo: targets, by: relationship)
    }
  }

  extension Connection {
    /// Returns elements in chunks that statements can take, each with the power of two to which its
    /// size is padded, as a logarithm.
    func chunks<Element>(
      of elements: [Element], columns: Int
    ) -> [(elements: ArraySlice<Element>, log2: Int)] {
      var log2 = log2OfParameters
      while log2 > 0, columns << log2 > 1 << log2OfParameters { log2 -= 1 }
      return Chunk.ranges(elements.count, of: 1 << log2).map { range in
        let size = range.count
        return (elements[range], size <= 1 ? 0 : Int.bitWidth - (size - 1).leadingZeroBitCount)
      }
    }
  }
#endif
