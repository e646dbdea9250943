#if SQLite
  internal import CSQLite
  package import Kinship
  package import KinshipInspection
  internal import KinshipSQL

  /// Reads the tables of a database at one moment, without the types of its records.
  ///
  /// It writes nothing, not even beside the database. The moment lasts as long as the records are
  /// in use; without a write-ahead log, writers wait for that.
  package enum SQLiteInspection {
    /// Reads a database, and checks every page, index and foreign key if it reads all.
    ///
    /// `progress` is called with the fraction read so far.
    ///
    /// - Complexity: O(*n*) in the rows; in all bytes if every page is checked.
    package static func read(
      _ path: String, readsAll: Bool, progress: (Double) -> Void = { _ in }
    ) throws(KinshipError) -> Inspection {
      do {
        let file = DatabaseFile(path: path, configuration: SQLiteConfiguration(access: .readOnly))
        let connection = try file.reader(Tally(), waits: true)
        // A file of unknown origin may name functions in its schema; SQLite must not call them.
        try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN")
        return try DatabaseReading(path, connection).read(readsAll: readsAll, progress)
      } catch let error as SQLiteError where error.isNoDatabase {
        throw .file(.foreign(path: path))
      } catch let error as SQLiteError where error.isDamage {
        throw .damage(to: path, at: 0, "\(error)")
      } catch {
        throw .file(.failed(path: path, cause: error))
      }
    }
  }

  /// Reads the contents of a database, in an open transaction.
  private struct DatabaseReading {
    private let path: String
    private let connection: Connection
    private let tables: [InspectedTable]

    init(_ path: String, _ connection: Connection) throws {
      self.path = path
      self.connection = connection
      let names = try connection.rows(
        """
        SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
          AND substr(name, 1, 7) <> 'sqlite_' AND name <> '\(ChangeLog.table)' ORDER BY name
        """)
      tables = try names.map { row in
        try InspectedTable(row[0].text ?? "", hasNumbers: row[1] == .integer(0), in: connection)
      }
    }

    func read(readsAll: Bool, _ progress: (Double) -> Void) throws -> Inspection {
      var (records, damage) = ([InspectedRecord](), [FileDamage]())
      for (number, table) in tables.enumerated() {
        do throws(SQLiteError) {
          records += try table.records(from: path, in: connection)
        } catch {
          guard error.isDamage else { throw error }
          damage.append(fault("“\(table.name)” cannot be read: \(error)"))
        }
        progress(Double(number + 1) / Double(tables.count + (readsAll ? 1 : 0)))
      }
      let log = try ChangeLog.facts(in: connection)
      if readsAll {
        do { damage += try faults() } catch let error as SQLiteError where error.isDamage {
          damage.append(fault("\(error)"))
        }
        damage += (log?.lacking ?? []).map { fault("the log of changes is incomplete: \($0)") }
      }
      let types = try tables.map { table in
        InspectedType(table.type, fields: table.columns, bytes: try bytes(of: table))
      }
      return Inspection(
        path: path, try facts(log), types: types, refs: try refs(), records: records,
        damage: damage)
    }

    private func fault(_ cause: String) -> FileDamage {
      FileDamage(file: path, offset: 0, cause: cause)
    }

    private func facts(_ log: DatabaseFacts.Log?) throws -> DatabaseFacts {
      func number(_ pragma: String) throws -> Int {
        Int(try connection.pragma("PRAGMA \(pragma)").integer ?? 0)
      }
      let page = try number("page_size")
      return DatabaseFacts(
        system: "SQLite \(SQLiteLibrary.version)", bytes: try number("page_count") * page,
        freeBytes: try number("freelist_count") * page,
        version: try number("user_version"), log: log)
    }

    /// Returns the bytes of a table's pages, if this SQLite counts them.
    private func bytes(of table: InspectedTable) throws -> Int {
      let rows = try? connection.rows(
        "SELECT sum(pgsize) FROM dbstat WHERE name = ?", [.text(table.name)])
      return Int(rows?.first?.first?.integer ?? 0)
    }

    private func faults() throws -> [FileDamage] {
      var faults: [FileDamage] = []
      for row in try connection.rows("PRAGMA integrity_check") where row != [.text("ok")] {
        faults.append(fault(row[0].text ?? ""))
      }
      let dangling = try connection.rows(
        """
        SELECT "table", rowid, parent, (SELECT group_concat("from", ', ')
          FROM pragma_foreign_key_list(found."table") WHERE id = fkid)
          FROM pragma_foreign_key_check AS found
        """)
      for row in dangling {
        let number = row[1] == .null ? nil : "row \(FieldValue(row[1]).int ?? 0)"
        faults.append(
          FileDamage(
            file: path, offset: 0, type: row[0].text, id: number,
            cause: "\(row[3].text ?? "") leads to a record of \(row[2].text ?? ""), "
              + "which does not exist"))
      }
      return faults
    }

    /// Returns the foreign keys of one column that refer to the ids of a table.
    private func refs() throws -> [InspectedRef] {
      var refs: [InspectedRef] = []
      for table in tables {
        let keys = try connection.rows(
          """
          SELECT "table", "from", "to" FROM pragma_foreign_key_list(?1) AS key
            WHERE (SELECT count(*) FROM pragma_foreign_key_list(?1) WHERE id = key.id) = 1
            ORDER BY id DESC
          """, [.text(table.name)])
        for key in keys {
          guard let parent = key[0].text, let column = key[1].text,
            let target = tables.first(where: { ColumnName.areEqual($0.name, parent) }),
            target.keys.count == 1,
            key[2].text.map({ ColumnName.areEqual($0, target.keys[0]) }) ?? true,
            let property = table.columns.first(where: { ColumnName.areEqual($0, column) })
          else { continue }
          refs.append(
            InspectedRef(type: table.name, property: [property], target: target.name))
        }
      }
      return refs
    }
  }

  extension SQLiteError {
    fileprivate var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }

    var isDamage: Bool { primaryCode == SQLITE_CORRUPT }
  }
#endif
