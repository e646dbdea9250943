#if SQLite
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  internal import CSQLite
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
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    var isInterruption: Bool { primaryCode == SQLITE_INTERRUPT }

    /// Whether the disk is full, or the database has reached its maximum size.
    public var isFull: Bool { primaryCode == SQLITE_FULL }

    var isOfDisk: Bool { primaryCode == SQLITE_IOERR || primaryCode == SQLITE_CORRUPT }

    /// Whether a constraint of the schema was violated.
    public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// Whether the code is `SQLITE_CONSTRAINT_FOREIGNKEY`, a macro that Swift does not import.
    var isOfForeignKey: Bool { code == SQLITE_CONSTRAINT | 3 << 8 }
  }

  extension SQLiteError: CustomStringConvertible {
    /// A sentence that says what went wrong.
    public var description: String {
      switch self {
      case .failed(_, let name, let message, let sql):
        "\(name): \(message)\(sql.map(SQLText.place) ?? "").\(advice.map { " \($0)" } ?? "")"
      case .noWriteAheadLog:
        "The database cannot keep a write-ahead log. Open it with `journal: .unchanged`."
      case .replaced:
        "The file of the database was deleted or replaced while it was open. Open a new store."
      }
    }

    private var advice: String? {
      switch primaryCode {
      case SQLITE_BUSY, SQLITE_LOCKED:
        "Another connection holds the database: try again, or allow a longer `busyTimeout`."
      case SQLITE_FULL: "Free some space on the device."
      case SQLITE_IOERR: "Check the device."
      case SQLITE_CORRUPT: "Restore a backup, or salvage it with `.recover` of sqlite3."
      case SQLITE_NOTADB: "Check the path: the file is not a database of SQLite."
      case SQLITE_CANTOPEN: "Check the path and the permissions of its directory."
      case SQLITE_READONLY: "Check the permissions of the file and its directory."
      case SQLITE_CONSTRAINT: "Change the record, or the constraint."
      case SQLITE_ERROR: "Check the statement and the tables."
      default: nil
      }
    }

    func naming(_ path: String) -> SQLiteError {
      switch self {
      case .failed(let code, let name, let message, let sql):
        .failed(code: code, name: name, message: "\(path): \(message)", sql: sql)
      case .noWriteAheadLog, .replaced: self
      }
    }
  }

  extension SQLiteError: LocalizedError {
    /// The same as `description`, for `localizedDescription`.
    public var errorDescription: String? { description }
  }

  /// The names of SQLite's result codes.
  enum ResultCode {
    /// Returns the name of an extended result code, or of the primary one if the code is newer.
    static func name(of code: Int32) -> String {
      names[code] ?? names[code & 0xFF].map { "\($0) (\(code))" } ?? "SQLITE (\(code))"
    }

    private static let names: [Int32: String] = {
      var names: [Int32: String] = [
        1: "ERROR", 2: "INTERNAL", 3: "PERM", 4: "ABORT", 5: "BUSY", 6: "LOCKED", 7: "NOMEM",
        8: "READONLY", 9: "INTERRUPT", 10: "IOERR", 11: "CORRUPT", 12: "NOTFOUND", 13: "FULL",
        14: "CANTOPEN", 15: "PROTOCOL", 16: "EMPTY", 17: "SCHEMA", 18: "TOOBIG", 19: "CONSTRAINT",
        20: "MISMATCH", 21: "MISUSE", 22: "NOLFS", 23: "AUTH", 24: "FORMAT", 25: "RANGE",
        26: "NOTADB", 27: "NOTICE", 28: "WARNING",
      ]
      // An extended code is its position in this list, from 1 on, above the byte of the primary
      // code.
      let extended: [Int32: [String]] = [
        1: ["MISSING_COLLSEQ", "RETRY", "SNAPSHOT"],
        4: ["", "ROLLBACK"],
        5: ["RECOVERY", "SNAPSHOT", "TIMEOUT"],
        6: ["SHAREDCACHE", "VTAB"],
        8: ["RECOVERY", "CANTLOCK", "ROLLBACK", "DBMOVED", "CANTINIT", "DIRECTORY"],
        10: [
          "READ", "SHORT_READ", "WRITE", "FSYNC", "DIR_FSYNC", "TRUNCATE", "FSTAT", "UNLOCK",
          "RDLOCK", "DELETE", "BLOCKED", "NOMEM", "ACCESS", "CHECKRESERVEDLOCK", "LOCK", "CLOSE",
          "DIR_CLOSE", "SHMOPEN", "SHMSIZE", "SHMLOCK", "SHMMAP", "SEEK", "DELETE_NOENT", "MMAP",
          "GETTEMPPATH", "CONVPATH", "VNODE", "AUTH", "BEGIN_ATOMIC", "COMMIT_ATOMIC",
          "ROLLBACK_ATOMIC", "DATA", "CORRUPTFS", "IN_PAGE",
        ],
        11: ["VTAB", "SEQUENCE", "INDEX"],
        14: ["NOTEMPDIR", "ISDIR", "FULLPATH", "CONVPATH", "DIRTYWAL", "SYMLINK"],
        19: [
          "CHECK", "COMMITHOOK", "FOREIGNKEY", "FUNCTION", "NOTNULL", "PRIMARYKEY", "TRIGGER",
          "UNIQUE", "VTAB", "ROWID", "PINNED", "DATATYPE",
        ],
        23: ["USER"],
      ]
      for (primary, suffixes) in extended {
        for (index, suffix) in suffixes.enumerated() where !suffix.isEmpty {
          names[Int32(index + 1) << 8 | primary] = "\(names[primary] ?? "")_\(suffix)"
        }
      }
      return names.mapValues { "SQLITE_" + $0 }
    }()
  }
#endif
