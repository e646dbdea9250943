#if SQLite
  internal import CSQLite
  internal import KinshipSQL
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The location of a database, and the options for opening connections to it.
  struct DatabaseFile: Sendable {
    let path: String
    let configuration: SQLiteConfiguration

    var isInMemory: Bool { path == ":memory:" || path.isEmpty }

    private var busyTimeout: String {
      "PRAGMA busy_timeout = \(configuration.busyTimeout.milliseconds)"
    }

    private var cacheSize: String {
      "PRAGMA cache_size = -\(min(configuration.pageCache / 1024, Int(Int32.max)))"
    }

    /// Opens the connection that writes, and waits in SQLite for other writers meanwhile.
    func writer(_ tally: Tally) throws(SQLiteError) -> Connection {
      guard configuration.access == .readWrite else { return try reader(tally, waits: true) }
      do throws(SQLiteError) { return try openWriter(tally) } catch { throw error.naming(path) }
    }

    private func openWriter(_ tally: Tally) throws(SQLiteError) -> Connection {
      let connection = try Connection(
        path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tally: tally)
      try connection.execute(busyTimeout)
      if !isInMemory, configuration.journal == .writeAheadLog {
        guard case .text("wal") = try connection.pragma("PRAGMA journal_mode = WAL") else {
          throw .noWriteAheadLog
        }
      }
      try connection.execute(
        """
        PRAGMA synchronous = \(configuration.synchronous.rawValue);
        \(cacheSize);
        PRAGMA foreign_keys = ON
        """)
      if let setup = configuration.setup { try connection.execute(setup) }
      return connection
    }

    /// Opens a connection that only reads; it waits in SQLite at most while the store opens.
    func reader(_ tally: Tally, waits: Bool = false) throws(SQLiteError) -> Connection {
      do throws(SQLiteError) { return try openReader(tally, waits: waits) } catch {
        throw error.naming(path)
      }
    }

    private func openReader(_ tally: Tally, waits: Bool) throws(SQLiteError) -> Connection {
      let isFrozen = configuration.access == .readOnly && hasIdleLog
      let connection = try Connection(
        isFrozen ? frozenName : path,
        flags: SQLITE_OPEN_READONLY | (isFrozen ? SQLITE_OPEN_URI : 0), tally: tally)
      if waits {
        try connection.execute(busyTimeout)
      } else {
        try connection.serve()
      }
      try connection.execute("\(cacheSize); PRAGMA query_only = ON")
      return connection
    }

    /// Whether the database has a write-ahead log and is not open elsewhere.
    ///
    /// To read it, SQLite would have to write beside it.
    private var hasIdleLog: Bool {
      guard !FileManager.default.fileExists(atPath: path + "-wal"),
        let file = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped),
        case let header = Array(file.prefix(20)), header.count == 20
      else { return false }
      return header[18] == 2 || header[19] == 2
    }

    /// The name of the file, marked as one that does not change.
    private var frozenName: String {
      var name = "file:"
      for byte in path.utf8 {
        let character = Character(Unicode.Scalar(byte))
        if byte < 0x80, character == "/" || character.isLetter || character.isNumber {
          name.append(character)
        } else {
          name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
      return name + "?immutable=1"
    }
  }
#endif
