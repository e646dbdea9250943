#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// A table of records whose changes are logged.
  protocol TrackedTable: Sendable {
    var recordType: any GraphRecord.Type { get }

    /// Returns the triggers that log changes of the table's records.
    ///
    /// - Throws: `SQLiteError` if a table does not exist or cannot have triggers.
    func triggers(in connection: Connection) throws -> [ChangeTrigger]

    /// Returns the ref of a logged record; `nil` if the logged value is not an id.
    func ref(of id: SQLValue, in connection: Connection) throws -> AnyRef?
  }

  extension TablePlan: TrackedTable {
    func triggers(in connection: Connection) throws -> [ChangeTrigger] {
      let notes = ChangeNotes(record: R.recordName, table: table.name, idColumns: idColumns)
      var triggers = notes.triggers(try UniqueKey.all(of: table.name, in: connection))
      for list in table.lists {
        let (source, columns) = list.tableAndColumns
        triggers += notes.triggers(
          list: list.name, in: source, owner: columns[0], columns: columns,
          try UniqueKey.all(of: source, in: connection))
      }
      return triggers
    }

    func ref(of id: SQLValue, in connection: Connection) throws -> AnyRef? {
      if idColumns.count == 1 {
        return (try? IDCoding.id(R.ID.self, from: id, layout.formats)).map { AnyRef(Ref<R>($0)) }
      }
      guard case .text(let list) = id, let parts = parts(in: list) else { return nil }
      let row = SQLRow(ValueCells(parts), layout: idLayout)
      return row.recordID(of: R.self).map { AnyRef(Ref<R>($0)) }
    }

    /// Returns the values of the id's columns from a logged list; `nil` if it is not such a list.
    private func parts(in list: String) -> [SQLValue]? {
      var (list, parts): (String, [SQLValue]) = (list, [])
      let isList = list.withUTF8 { bytes in
        var parser = ListParser(bytes, layout: idLayout, position: 0)
        do {
          while let part = try parser.nextValue() { parts.append(part) }
          return parts.count == idColumns.count
        } catch {
          return false
        }
      }
      return isList ? parts : nil
    }
  }
#endif
