#if SQLite
  internal import Kinship
  internal import KinshipSQL

  /// Writes rows of one table, one after another, usually with the same statement.
  final class TableStatements: RowStatements {
    private let layout: RowLayout
    private let idColumns: [String]
    private let number: Int
    private let versionColumn: Int?
    private let isView: Bool
    private let connection: Connection
    /// Whether a record must be read as it was written; a translator is free to differ.
    private let isChecked: Bool
    /// The updates that other rows blocked.
    private var postponed: [(columns: [Int], cells: [SQLValue?], ids: [SQLValue], version: Int?)] =
      []
    private var last: (key: StatementKey, statement: Statement)?

    init<R: GraphRecord>(_ plan: TablePlan<R>, _ connection: Connection) {
      layout = plan.layout
      idColumns = plan.idColumns
      number = plan.number
      versionColumn = plan.versionColumn
      isView = plan.isView
      self.connection = connection
      isChecked = plan.table.named == nil
    }

    func check(_ cells: [SQLValue?]) throws(SQLMappingError) {
      if !isChecked { return }
      for position in layout.columns.indices {
        guard let value = cells[position] else { continue }
        try layout.kinds[position].check(value, in: layout.columns[position])
      }
    }

    func insert(_ columns: [Int], _ cells: [SQLValue?]) throws {
      let statement = try statement(.insert(table: number, columns: columns)) {
        insertion(of: columns)
      }
      try statement.bind(columns.lazy.map { cells[$0] ?? .null })
      try statement.run()
    }

    /// Updates columns of a row, or postpones the update if another row blocks it.
    func update(
      _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
    ) throws -> Bool {
      do {
        return try run(columns, cells, ids: ids, version)
      } catch let error as SQLiteError where error.isConstraint {
        postponed.append((columns, cells, ids, version))
        return true
      }
    }

    func updatePostponed() throws {
      while !postponed.isEmpty {
        let updates = postponed
        postponed = []
        var refusal: (any Error)?
        for update in updates {
          do {
            if try !run(update.columns, update.cells, ids: update.ids, update.version) {
              throw RowConflict(error: nil)
            }
          } catch let error as SQLiteError where error.isConstraint {
            refusal = error
            postponed.append(update)
          }
        }
        if let refusal, postponed.count == updates.count { throw refusal }
      }
    }

    private func run(
      _ columns: [Int], _ cells: [SQLValue?], ids: [SQLValue], _ version: Int?
    ) throws -> Bool {
      // SQLite does not count the rows of a view that triggers change.
      if isView, try !isThere(ids, version) { return false }
      let isVersioned = version != nil
      let statement = try statement(
        .update(table: number, columns: columns, isVersioned: isVersioned)
      ) { updating(columns, idColumns + (isVersioned ? versionName : [])) }
      try statement.bind(columns.lazy.map { cells[$0] ?? .null })
      let end = Int32(columns.count + ids.count + 1)
      try statement.bind(ids, from: end - Int32(ids.count))
      if let version { try statement.bind(.integer(Int64(version)), at: end) }
      try statement.run()
      return isView || connection.changes == 1
    }

    private func isThere(_ ids: [SQLValue], _ version: Int?) throws(SQLiteError) -> Bool {
      let values = version.map { [SQLValue.integer(Int64($0))] } ?? []
      let condition = SQLText.equals(idColumns + (values.isEmpty ? [] : versionName))
      let sql = "SELECT 1 FROM \(SQLText.quoted(layout.table)) WHERE \(condition)"
      return try !connection.rows(sql, ids + values).isEmpty
    }

    private var versionName: [String] { versionColumn.map { [layout.columns[$0]] } ?? [] }

    private func statement(
      _ key: StatementKey, _ sql: () -> String
    ) throws(SQLiteError) -> Statement {
      if let last, last.key == key {
        connection.countExecuted()
        return last.statement
      }
      let statement = try connection.statement(key) { sql() }
      last = (key, statement)
      return statement
    }

    private func insertion(of columns: [Int]) -> String {
      columns.isEmpty
        ? "INSERT INTO \(SQLText.quoted(layout.table)) DEFAULT VALUES"
        : SQLText.insertion(into: layout.table, columns.map { layout.columns[$0] })
    }

    private func updating(_ columns: [Int], _ condition: [String]) -> String {
      let id = SQLText.quoted(idColumns[0])
      // The row must exist even if no column changes.
      let settings =
        columns.isEmpty
        ? "\(id) = \(id)"
        : SQLText.equals(columns.map { layout.columns[$0] }, joinedBy: ", ")
      return """
        UPDATE \(SQLText.quoted(layout.table)) SET \(settings) \
        WHERE \(SQLText.equals(condition))
        """
    }
  }
#endif
