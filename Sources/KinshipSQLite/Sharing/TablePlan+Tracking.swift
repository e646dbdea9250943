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
    func ref(of id: SQLValue) -> AnyRef?
  }

  extension TablePlan: TrackedTable {
    var recordType: any GraphRecord.Type { R.self }

    func triggers(in connection: Connection) throws -> [ChangeTrigger] {
      let notes = ChangeNotes(record: R.recordName, table: table.name, idColumns: idColumns)
      var triggers = notes.triggers(try UniqueKey.all(of: table.name, in: connection))
      for list in table.lists {
        triggers += notes.triggers(
          list: list.name, in: list.place, try UniqueKey.all(of: list.place.table, in: connection))
      }
      return triggers
    }

    func ref(of id: SQLValue) -> AnyRef? {
      if idColumns.count == 1 { return ref(of: [id]) }
      guard case .text(let list) = id, let parts = parts(in: list) else { return nil }
      return ref(of: parts)
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
