#if PostgreSQL
  package import Kinship
  package import KinshipInspection
  internal import KinshipSQL

  /// Reads the tables of a database at one moment, without the types of its records.
  ///
  /// It reads in one read-only transaction. The moment lasts as long as the records are in use.
  /// Nobody waits for that, but rows deleted in the meantime occupy space until then.
  package enum PostgreSQLInspection {
    /// Reads a database, and checks every foreign key if it reads all.
    ///
    /// `progress` is called with the fraction read so far.
    ///
    /// - Complexity: O(*n*) in the rows.
    package static func read(
      _ conninfo: String, named name: String, readsAll: Bool,
      progress: (Double) -> Void = { _ in }
    ) throws(KinshipError) -> Inspection {
      do {
        let settings = ConnectionSettings(
          conninfo: conninfo, configuration: PostgreSQLConfiguration(statementTimeout: .zero),
          answerTimeout: .seconds(86_400))
        let connection = try Connection(settings, types: TypeCatalog())
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return try DatabaseReading(name, connection).read(readsAll: readsAll, progress)
      } catch {
        throw .file(.failed(path: name, cause: error))
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
      tables = try InspectedTable.all(in: connection)
    }

    func read(readsAll: Bool, _ progress: (Double) -> Void) throws -> Inspection {
      var (records, damage) = ([InspectedRecord](), [FileDamage]())
      let foreignKeys = try ForeignKey.all(in: connection)
      let steps = tables.count + (readsAll ? foreignKeys.count : 0)
      for (number, table) in tables.enumerated() {
        records += try table.records(from: path, in: connection)
        progress(Double(number + 1) / Double(steps))
      }
      let log = try TrackingSQL.facts(in: connection, tables)
      if readsAll {
        for (number, key) in foreignKeys.enumerated() {
          damage += try faults(of: key)
          progress(Double(tables.count + number + 1) / Double(steps))
        }
        damage += (log?.lacking ?? []).map {
          FileDamage(file: path, offset: 0, cause: "the log of changes is incomplete: \($0)")
        }
      }
      return Inspection(
        path: path, try facts(log),
        types: tables.map {
          InspectedType($0.type, fields: $0.columns.map(\.name), bytes: $0.bytes)
        },
        refs: foreignKeys.compactMap { ref(of: $0) }, records: records, damage: damage)
    }

    private func facts(_ log: DatabaseFacts.Log?) throws -> DatabaseFacts {
      let rows = try connection.query(
        "SELECT current_setting('server_version'), pg_database_size(current_database())")
      let cells = PostgreSQLCells(rows)
      return DatabaseFacts(
        system: "PostgreSQL \(cells.text(at: 0) ?? "")", bytes: Int(cells.integer(at: 1) ?? 0),
        freeBytes: nil, version: nil, log: log)
    }

    /// Returns rows that refer to missing ones.
    ///
    /// They can exist if a key was declared later and not validated, or if triggers were disabled.
    private func faults(of key: ForeignKey) throws -> [FileDamage] {
      guard let table = tables.first(where: { $0.number == key.table }) else { return [] }
      let pairs = zip(key.columns, key.targets).map { column, target in
        "p.\(SQLText.quoted(target)) = c.\(SQLText.quoted(column))"
      }
      let isSet = key.columns.map { "c.\(SQLText.quoted($0)) IS NOT NULL" }
      let condition =
        (isSet + [
          "NOT EXISTS (SELECT FROM \(key.target.sql) p WHERE \(pairs.joined(separator: " AND ")))"
        ]).joined(separator: " AND ")
      return try table.records(from: path, in: connection, where: condition).map { record in
        record.damage(
          "\(key.columns.joined(separator: ", ")) leads to a record of \(key.target.name), "
            + "which does not exist")
      }
    }

    /// Returns the property for a foreign key of one column, if it refers to the ids of a table.
    private func ref(of key: ForeignKey) -> InspectedRef? {
      guard let table = tables.first(where: { $0.number == key.table }),
        let target = tables.first(where: { $0.name == key.target }), key.columns.count == 1,
        target.keys.map(\.name) == key.targets
      else { return nil }
      return InspectedRef(
        type: table.shownName, property: key.columns, target: target.shownName)
    }
  }

  private struct ForeignKey {
    /// The number of the referring table.
    let table: Int64
    let columns: [String]
    let target: TableName
    let targets: [String]

    static func all(in connection: Connection) throws -> [ForeignKey] {
      func names(_ table: String, _ numbers: String) -> String {
        """
        (SELECT array_agg(a.attname::text ORDER BY k.place)
          FROM unnest(o.\(numbers)) WITH ORDINALITY k(number, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = o.\(table) AND a.attnum = k.number)
        """
      }
      let rows = try connection.query(
        """
        SELECT o.conrelid::int8, \(names("conrelid", "conkey")), n.nspname::text,
          c.relname::text, \(names("confrelid", "confkey"))
        FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_class c ON c.oid = o.confrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE o.contype = 'f' ORDER BY o.oid
        """)
      return try rows.all.map { cells in
        ForeignKey(
          table: cells.integer(at: 0) ?? 0, columns: try rows.texts(cells.row, 1),
          target: TableName(cells.text(at: 3) ?? "", schema: cells.text(at: 2) ?? ""),
          targets: try rows.texts(cells.row, 4))
      }
    }
  }
#endif
