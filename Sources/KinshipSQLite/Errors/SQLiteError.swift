#if SQLite
  /// What SQLite, or the way between its rows and records, reports.
  ///
  /// No case ever holds a value of the database or of a record: an error can be logged.
  public enum SQLiteError: Error, Hashable, Sendable {
    /// SQLite refused: its extended result code, that code's name, SQLite's own words, and the
    /// statement as it was prepared, with parameters in place of values.
    case failed(code: Int32, name: String, message: String, sql: String?)
    /// The database has no such table.
    case noTable(String)
    /// A table has no such column.
    case noColumn(String, table: String)
    /// A property is not mapped to a column of the table.
    case noColumnForProperty(String, table: String)
    /// A column holds a value of another kind than was asked for.
    case wrongType(table: String, column: String, expected: String, found: String)
    /// A column holds a value of the right kind that makes no sense as what was asked for.
    case unsuitableValue(table: String, column: String, expected: String)
    /// A value cannot be stored: why.
    case notStorable(String)
    /// A translator gave more or fewer values than it has columns.
    case wrongValueCount(table: String, expected: Int, given: Int)
    /// A table's mapping cannot work: why.
    case unsuitableMapping(table: String, reason: String)
    /// The file cannot keep a write-ahead log, so it cannot be read while it is written.
    case noWriteAheadLog
  }

  extension SQLiteError {
    /// The extended result code, where SQLite itself refused.
    public var code: Int32? {
      if case .failed(let code, _, _, _) = self { code } else { nil }
    }

    /// The primary result code: the low byte of the extended one.
    var primaryCode: Int32? { code.map { $0 & 0xFF } }

    /// Whether another connection held the database for longer than the timeout.
    public var isBusy: Bool { primaryCode == ResultCode.busy || primaryCode == ResultCode.locked }

    /// Whether a statement was ended before its time.
    var isInterruption: Bool { primaryCode == ResultCode.interrupt }

    /// Whether the disk, or the largest size that was set, is full.
    public var isFull: Bool { primaryCode == ResultCode.full }

    /// Whether the disk has failed.
    var isOfDisk: Bool { primaryCode == ResultCode.ioError || primaryCode == ResultCode.corrupt }

    /// Whether a constraint of the schema was violated.
    public var isConstraint: Bool { primaryCode == ResultCode.constraint }

    /// Whether that constraint was a foreign key.
    var isOfForeignKey: Bool { code == ResultCode.foreignKey }
  }

  extension SQLiteError: CustomStringConvertible {
    /// What went wrong, in a sentence.
    public var description: String {
      switch self {
      case .failed(_, let name, let message, let sql):
        "\(name): \(message)" + (sql.map { ", in “\($0.prefix(400))”" } ?? "")
      case .noTable(let table):
        "There is no table “\(table)”."
      case .noColumn(let column, let table):
        "Table “\(table)” has no column “\(column)”."
      case .noColumnForProperty(let property, let table):
        "No column of table “\(table)” is mapped to the property “\(property)”."
      case .wrongType(let table, let column, let expected, let found):
        "“\(table)”.“\(column)” holds \(found), not \(expected)."
      case .unsuitableValue(let table, let column, let expected):
        "“\(table)”.“\(column)” holds what is not \(expected)."
      case .notStorable(let reason):
        "It cannot be stored: \(reason)."
      case .wrongValueCount(let table, let expected, let given):
        "The translator of “\(table)” gave \(given) values for \(expected) columns."
      case .unsuitableMapping(let table, let reason):
        "Table “\(table)” cannot be mapped so: \(reason)."
      case .noWriteAheadLog:
        "The database cannot keep a write-ahead log."
      }
    }
  }
#endif
