#if SQLite
  internal import CSQLite
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

    /// The busy timeout in milliseconds.
    private var timeout: Int32 {
      let parts = configuration.busyTimeout.components
      let milliseconds = Double(parts.seconds) * 1000 + Double(parts.attoseconds) / 1e15
      return Int32(min(max(0, milliseconds), Double(Int32.max)))
    }

    private var cacheSize: String {
      "PRAGMA cache_size = -\(min(configuration.pageCache / 1024, Int(Int32.max)))"
    }

    /// Opens the connection that writes.
    ///
    /// While it opens, it waits in SQLite for other writers.
    func writer(_ tally: Tally) throws(SQLiteError) -> Connection {
      guard configuration.access == .readWrite else { return try reader(tally, waits: true) }
      let connection = try Connection(
        path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, tally: tally)
      try connection.execute("PRAGMA busy_timeout = \(timeout)")
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
      let isFrozen = configuration.access == .readOnly && hasIdleLog
      let connection = try Connection(
        isFrozen ? frozenName : path,
        flags: SQLITE_OPEN_READONLY | (isFrozen ? SQLITE_OPEN_URI : 0), tally: tally)
      if waits {
        try connection.execute("PRAGMA busy_timeout = \(timeout)")
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
        let isPlain =
          byte >= 0x80 || byte == UInt8(ascii: "/")
          || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
        if isPlain, byte < 0x80 {
          name.append(Character(Unicode.Scalar(byte)))
        } else {
          name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
      return name + "?immutable=1"
    }
  }
#endif
