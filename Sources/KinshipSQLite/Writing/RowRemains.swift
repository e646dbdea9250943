#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// The values of a deleted row that differ from its record, to undo the deletion.
  ///
  /// These are columns that the record does not map, and values that it would store in another
  /// form.
  struct RowRemains: Sendable {
    struct Column: Sendable {
      let name: String
      /// The value that the record would store; `nil` if it has none for the column.
      let spoken: SQLValue?
      let stored: SQLValue
    }

    var columns: [Column] = []
    /// The contents of lists to keep, by the number of the list.
    var lists: [Int: ListRemains] = [:]

    var isEmpty: Bool { columns.isEmpty && lists.isEmpty }
  }

  extension TableWriter {
    /// Keeps the values of the rows to delete that differ from their records.
    ///
    /// - Throws: `Discord` if a row does not exist.
    func keepRemains() throws {
      let names = plan.writableColumns
      let sql = """
        SELECT \(SQLText.list(names)) FROM \(SQLText.quoted(plan.table.name)) \
        WHERE \(SQLText.equals(plan.idColumns))
        """
      let write = plan.table.makeWriter(plan.layout)
      for (place, record) in changes.deleted.enumerated() {
        if place & 0x3FF == 0x3FF { try Task.checkCancellation() }
        guard let row = try connection.rows(sql, plan.values(of: record.id)).first else {
          throw Discord(error: KinshipError.missing(AnyRef(record.ref)))
        }
        rows.chooseAll()
        // The values of a record that cannot be stored are not known.
        let isStorable = (try? rows.take(record, write)) != nil
        var remains = RowRemains()
        for (name, stored) in zip(names, row) {
          let position = plan.layout.columns.firstIndex(of: name)
          let spoken = isStorable ? position.flatMap { rows.values.cells[$0] } : nil
          if SQLValue.areSame(spoken, stored) { continue }
          remains.columns.append(RowRemains.Column(name: name, spoken: spoken, stored: stored))
        }
        for (number, list) in plan.table.lists.enumerated() {
          let kept = try self.remains(of: list, record)
          if !kept.rows.isEmpty { remains.lists[number] = kept }
        }
        if !remains.isEmpty { changes.all.keep(remains, of: record.ref) }
      }
    }
  }

  extension RowWriter {
    /// Inserts a row with the values, and with those that differed from the record before its
    /// deletion.
    func insert(with remains: RowRemains, _ connection: Connection) throws {
      var columns: [(name: String, value: SQLValue)] = spoken.map {
        (layout.columns[$0], values.cells[$0] ?? .null)
      }
      for column in remains.columns {
        guard let place = columns.firstIndex(where: { $0.name == column.name }) else {
          columns.append((column.name, column.stored))
          continue
        }
        if SQLValue.areSame(column.spoken, columns[place].value) {
          columns[place].value = column.stored
        }
      }
      try connection.run(
        """
        INSERT INTO \(SQLText.quoted(table)) (\(SQLText.list(columns.map(\.name)))) \
        VALUES (\(SQLText.repeated("?", columns.count)))
        """, columns.map(\.value))
    }
  }
#endif
