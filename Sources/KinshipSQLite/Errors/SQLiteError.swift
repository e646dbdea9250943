#if SQLite
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  internal import KinshipSQL

  /// An error that SQLite reports.
  ///
  /// Errors in the mapping of rows are `SQLMappingError`s. No case ever holds a value of the
  /// database or of a record, so you can log any error.
  public enum SQLiteError: Error, Hashable, Sendable {
    /// SQLite rejected a call.
    ///
    /// The case holds the extended result code, its name, SQLite's own message, and the statement
    /// as prepared, with parameters in place of values.
    case failed(code: Int32, name: String, message: String, sql: String?)
    /// The file cannot have a write-ahead log, so it cannot be read during a write.
    case noWriteAheadLog
    /// The file was deleted or replaced while the store was open.
    case replaced
  }

  extension SQLiteError {
    /// The extended result code, if SQLite itself rejected the call.
    public var code: Int32? {
      if case .failed(let code, _, _, _) = self { code } else { nil }
    }

    /// The primary result code: the low byte of the extended one.
    var primaryCode: Int32? { code.map { $0 & 0xFF } }

    /// Whether another connection held the database for longer than the timeout.
    public var isBusy: Bool { primaryCode == ResultCode.busy || primaryCode == ResultCode.locked }

    /// Whether a statement was interrupted.
    var isInterruption: Bool { primaryCode == ResultCode.interrupt }

    /// Whether the disk is full, or the database has reached its maximum size.
    public var isFull: Bool { primaryCode == ResultCode.full }

    /// Whether the disk has failed.
    var isOfDisk: Bool { primaryCode == ResultCode.ioError || primaryCode == ResultCode.corrupt }

    /// Whether a constraint of the schema was violated.
    public var isConstraint: Bool { primaryCode == ResultCode.constraint }

    /// Whether that constraint was a foreign key.
    var isOfForeignKey: Bool { code == ResultCode.foreignKey }
  }

  extension SQLiteError: CustomStringConvertible {
    /// A sentence that says what went wrong.
    public var description: String {
      switch self {
      case .failed(_, let name, let message, let sql):
        "\(name): \(message)" + (sql.map { ", in “\($0.prefix(400))”" } ?? "")
      case .noWriteAheadLog:
        "The database cannot keep a write-ahead log. Open it with the journal `.unchanged`."
      case .replaced:
        "The file of the database was deleted or replaced while it was open. Open a new store."
      }
    }
  }

  extension SQLiteError: LocalizedError {
    /// The same as `description`, for `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
