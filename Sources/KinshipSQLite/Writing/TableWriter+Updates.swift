#if SQLite
  internal import Kinship

  extension TableWriter {
    func update() throws {
      var lastProperties: [any PartialKeyPath<R> & Sendable]?
      var lastColumns: [Int]?
      let versionColumn = R.self is any Versioned.Type ? plan.layout.position(of: "version") : nil
      for (count, pair) in try pairs().enumerated() {
        if count & 0x3FF == 0x3FF { try Task.checkCancellation() }
        // Most updates of a transaction are alike.
        let isLikeLast = pair.properties.map { $0 == lastProperties ?? [] } ?? false
        let known = isLikeLast ? lastColumns : pair.properties.flatMap(columns)
        (lastProperties, lastColumns) = (pair.properties, known)
        let version = versionColumn.flatMap { column in
          pair.old?.knownVersion.map { (column, $0) }
        }
        try update(pair, columns: known, version)
      }
    }

    /// The columns that hold some properties; nil if some are not held by a column or a list of their own.
    private func columns(of properties: [any PartialKeyPath<R> & Sendable]) -> [Int]? {
      var columns: [Int] = []
      for property in properties {
        guard let position = plan.position(of: property) else { return nil }
        if position < plan.layout.columns.count, plan.layout.isWritable[position] {
          columns.append(position)
        }
      }
      return columns
    }

    private func update(
      _ pair: UpdatePair<R>, columns known: [Int]?, _ version: (column: Int, value: Int)?
    ) throws {
      let columns = try known ?? differing(pair)
      try withValues(of: pair.new) { cells in
        do {
          try run(columns, pair.new.id, version) { cells[$0] ?? .null }
        } catch let error as SQLiteError where error.isConstraint {
          postponed.append(
            RowUpdate(
              id: pair.new.id, columns: columns, values: columns.map { cells[$0] ?? .null },
              version: version))
        }
      }
    }

    /// The columns in which a record differs from what it was; all if that is not known.
    private func differing(_ pair: UpdatePair<R>) throws -> [Int] {
      let old = try pair.old.map { try withValues(of: $0) { copy $0 } }
      return try withValues(of: pair.new) { new in
        new.indices.filter { position in
          plan.layout.isWritable[position]
            && (old.map { $0[position] != new[position] } ?? (new[position] != nil))
        }
      }
    }

    /// Updates a row.
    ///
    /// - Throws: ``Discord`` if there is no such row of that version.
    private func run(
      _ columns: [Int], _ id: R.ID, _ version: (column: Int, value: Int)?,
      _ value: (Int) -> SQLiteValue
    ) throws {
      // The list in the key tells with and without a version apart.
      let statement = try statement(
        version.map { columns + [-1, $0.column] } ?? columns, isUpdate: true,
        .update(
          table: plan.number, columns: version.map { columns + [-1, $0.column] } ?? columns)
      ) { updating(columns, version?.column) }
      var index: Int32 = 1
      for column in columns {
        try statement.bind(value(column), at: index)
        index += 1
      }
      if plan.idColumns.count == 1 {
        try statement.bind(try plan.table.idValue(id, plan.layout.formats), at: index)
      } else {
        try statement.bind(try plan.values(of: id), from: index)
      }
      index += Int32(plan.idColumns.count)
      if let version { try statement.bind(.integer(Int64(version.value)), at: index) }
      try statement.run()
      if connection.changes != 1 {
        throw Discord(
          error: KinshipError.conflict(AnyRef(Ref<R>(id)), mine: nil, theirs: nil))
      }
    }

    private func updating(_ columns: [Int], _ version: Int?) -> String {
      var names = columns.map { plan.layout.columns[$0] }
      let isNothing = names.isEmpty
      // Without a column to change the row must be there all the same.
      if isNothing { names = [plan.idColumns[0]] }
      let settings = names.map { "\(SQLText.quoted($0)) = \(isNothing ? SQLText.quoted($0) : "?")" }
      let condition = SQLText.equals(
        plan.idColumns + (version.map { [plan.layout.columns[$0]] } ?? []))
      return """
        UPDATE \(SQLText.quoted(plan.table.name)) SET \(settings.joined(separator: ", ")) \
        WHERE \(condition)
        """
    }

    /// Makes the updates that other rows stood in the way of, as long as that helps.
    func updatePostponed() throws {
      while !postponed.isEmpty {
        let updates = postponed
        postponed = []
        var refusal: (any Error)?
        for update in updates {
          do {
            var next = 0
            try run(update.columns, update.id, update.version) { _ in
              defer { next += 1 }
              return update.values[next]
            }
          } catch let error as SQLiteError where error.isConstraint {
            refusal = error
            postponed.append(update)
          }
        }
        if let refusal, postponed.count == updates.count { throw refusal }
      }
    }
  }
#endif
