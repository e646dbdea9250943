#if SQLite
  internal import CSQLite
  internal import KinshipSQL

  /// A prepared statement of one connection.
  final class Statement {
    let sql: String
    let pointer: OpaquePointer
    private let database: OpaquePointer

    /// Takes ownership of a prepared statement.
    init(_ sql: String, _ pointer: OpaquePointer, database: OpaquePointer) {
      self.sql = sql
      self.pointer = pointer
      self.database = database
    }

    deinit { sqlite3_finalize(pointer) }

    /// Binds a value to a parameter, numbered from 1 on.
    func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
      let code: Int32
      switch value {
      case .null: code = sqlite3_bind_null(pointer, index)
      case .integer(let integer): code = sqlite3_bind_int64(pointer, index, integer)
      case .real(let real): code = sqlite3_bind_double(pointer, index, real)
      case .text(var text):
        code = text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            // An empty array may have no address, which SQLite would treat as NULL.
            $0.baseAddress.map {
              kinship_bind_text(pointer, index, $0, UInt64(bytes.count))
            } ?? kinship_bind_text(pointer, index, "", 0)
          }
        }
      case .blob(let bytes):
        code = bytes.withUnsafeBytes {
          kinship_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count))
        }
      }
      if code != SQLITE_OK { throw failure(code) }
    }

    func bind(_ list: IDList, at index: Int32) throws(SQLiteError) {
      let code = list.bind(to: pointer, at: index)
      if code != SQLITE_OK { throw failure(code) }
    }

    func bind(_ values: some Sequence<SQLValue>, from first: Int32 = 1) throws(SQLiteError) {
      var index = first
      for value in values {
        try bind(value, at: index)
        index += 1
      }
    }

    /// Runs a statement that has no rows, or whose rows are not needed.
    func run() throws(SQLiteError) {
      defer { reset() }
      while try step() {}
    }

    /// Returns the first column of the first row, if there is one.
    func integer() throws(SQLiteError) -> Int64? {
      defer { reset() }
      return try step() ? sqlite3_column_int64(pointer, 0) : nil
    }

    /// Moves to the next row, and returns whether there is one.
    func step() throws(SQLiteError) -> Bool {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw failure(code)
      }
    }

    /// Ends the statement's run, and releases the bound values.
    func reset() {
      sqlite3_reset(pointer)
      sqlite3_clear_bindings(pointer)
    }

    private func failure(_ code: Int32) -> SQLiteError {
      .last(of: database, code: code, sql: sql)
    }
  }

  extension SQLiteError {
    /// Creates an error from a connection's last failure.
    ///
    /// Without a connection, SQLite reports that there is no memory for one.
    static func last(of database: OpaquePointer?, code: Int32, sql: String?) -> SQLiteError {
      let extended = sqlite3_extended_errcode(database)
      let code = extended & 0xFF == code & 0xFF ? extended : code
      return .failed(
        code: code, name: ResultCode.name(of: code),
        message: String(cString: sqlite3_errmsg(database)), sql: sql)
    }
  }

  /// The purpose of a prepared statement, to find it without building its text.
  enum StatementKey: Hashable {
    /// Fetches rows by ids, of which the number is a power of two.
    case fetch(table: Int, log2: Int)
    /// Fetches rows by the ids of an `IDList`.
    case fetchListed(table: Int)
    case delete(table: Int, log2: Int)
    case update(table: Int, columns: [Int], isVersioned: Bool)
    case insert(table: Int, columns: [Int])
    case text(String)
  }
#endif
