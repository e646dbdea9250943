#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// A table of records whose changes a log tells.
  protocol TrackedTable: Sendable {
    var recordType: any GraphRecord.Type { get }

    /// The triggers that note what is changed of its records.
    ///
    /// - Throws: `SQLiteError` if a table can have no triggers, or is not there.
    func triggers(in connection: Connection) throws -> [ChangeTrigger]

    /// The record that the log tells of; `nil` if what it says is no id.
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

    /// The values of the id's columns; `nil` if it is no such list.
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
