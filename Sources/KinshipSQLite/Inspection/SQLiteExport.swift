#if SQLite
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif
  internal import CSQLite
  internal import Kinship
  package import KinshipSQL

  /// Writes records to a new database in one transaction; it gets its name at the end.
  package final class SQLiteExport {
    package struct Table {
      let name: String
      let columns: [String]
      /// Whether all ids are integers, so that they serve as row numbers.
      let hasNumbers: Bool

      package init(_ name: String, columns: [String], hasNumbers: Bool) {
        self.name = name
        self.columns = columns
        self.hasNumbers = hasNumbers
      }

      /// The columns have no types, so that each value is stored unchanged.
      fileprivate var creation: String {
        let columns = columns.map { column in
          let kind = column == "id" ? (hasNumbers ? " INTEGER PRIMARY KEY" : " PRIMARY KEY") : ""
          return SQLText.quoted(column) + kind
        }
        return "CREATE TABLE \(SQLText.quoted(name)) (\(columns.joined(separator: ", ")))"
      }
    }

    private let path: String
    private let temporary: String
    private var connection: Connection?

    /// Creates the database under a temporary name, with tables that have a column `id`.
    package init(_ path: String, _ tables: [Table]) throws {
      self.path = path
      temporary = "\(path).kinship-tmp-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
      if FileManager.default.fileExists(atPath: path) {
        throw CocoaError(.fileWriteFileExists)
      }
      let connection = try Connection(
        temporary, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tally: Tally())
      self.connection = connection
      // Nobody else knows of the file, and a failure removes all of it.
      try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = FULL; BEGIN")
      for table in tables { try connection.execute(table.creation) }
    }

    deinit {
      connection = nil
      try? FileManager.default.removeItem(atPath: temporary)
    }

    /// Appends a record, whose values are in the order of the columns.
    package func add(_ values: [SQLValue], to table: Table) throws(SQLiteError) {
      try connection?.run(SQLText.insertion(into: table.name, table.columns), values)
    }

    /// Ends the transaction, and gives the file its final name.
    package func finish() throws {
      try connection?.execute("COMMIT")
      connection = nil
      try FileManager.default.moveItem(atPath: temporary, toPath: path)
    }
  }
#endif
