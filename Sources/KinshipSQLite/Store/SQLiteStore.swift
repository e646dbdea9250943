#if SQLite
  internal import CSQLite
  public import Kinship
  @_exported public import KinshipSQL

  /// A backing store on the system's SQLite.
  ///
  /// ```swift
  /// let store = try SQLiteStore(
  ///   at: path,
  ///   SQLiteTable<Artist>("Artist", id: "ArtistId"),
  ///   SQLiteTable<Album>(
  ///     "Album", id: "AlbumId", columns: [.column(\.artist, "ArtistId")],
  ///     lists: [.toMany(\.tracks, table: "Track", foreignKey: "AlbumId", key: "TrackId")]),
  ///   SQLiteTable<Track>("Track", id: "TrackId"))
  /// let cache = try GraphCache(for: Artist.self, Album.self, Track.self, store: store)
  /// ```
  ///
  /// One connection writes, on its own thread. If commits do not wait for the disk
  /// (``SQLiteConfiguration/synchronous``), a change of at most 16 records runs in the calling
  /// task.
  ///
  /// Other connections read at the same time, in the calling tasks. They see the state before a
  /// write or after it.
  ///
  /// Each connection has a table of integer ids named `kinship ids`, so no table of yours can have
  /// that name.
  public final class SQLiteStore: SQLStore {
    let plans: [ObjectIdentifier: any TrackedTable]
    let writer: ConnectionPool<ConnectionServer>
    /// The reading connections; `nil` if one connection does everything.
    let readers: ConnectionPool<ConnectionServer>?
    let configuration: SQLiteConfiguration
    let tally: Tally
    let sharing: DatabaseSharing
    /// The last id chosen for a row, by record type.
    let lastIDs = Lock<[ObjectIdentifier: Int64]>([:])
    let path: String
    /// The task that closes the store, if it has begun.
    private let closing = Lock<Task<Void, Never>?>(nil)

    /// Opens a database and finds the tables in it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:` for a database in memory.
    ///   - tables: The mappings of the record types to tables, each type once.
    ///   - configuration: The settings for opening and writing the database.
    /// - Throws: `SQLiteError` if the file cannot be opened, `SQLMappingError` if it lacks tables
    ///   or columns, `KinshipError.invalidSchema(.duplicateType)` if two tables hold one type.
    public convenience init<each R: GraphRecord>(
      at path: String, _ tables: repeat SQLiteTable<each R>,
      configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws {
      var finders: [(Int, Connection) throws -> any TrackedTable] = []
      repeat finders.append((each tables).find)
      try self.init(at: path, finders, configuration)
    }

    private init(
      at path: String, _ finders: [(Int, Connection) throws -> any TrackedTable],
      _ configuration: SQLiteConfiguration
    ) throws {
      let file = DatabaseFile(path: path, configuration: configuration)
      let tally = Tally()
      self.path = path
      self.configuration = configuration
      self.tally = tally
      let opened = try file.writer(tally)
      var plans: [ObjectIdentifier: any TrackedTable] = [:]
      for (number, find) in finders.enumerated() {
        let plan = try find(number, opened)
        let type = plan.recordType
        guard plans.updateValue(plan, forKey: ObjectIdentifier(type)) == nil else {
          throw KinshipError.invalidSchema(
            .duplicateType(name: type.recordName, "\(type)", "\(type)"))
        }
      }
      self.plans = plans
      sharing = try DatabaseSharing(Array(plans.values), in: opened)
      try opened.serve()
      let writing = ConnectionServer(opened) { throw KinshipError.misuse(.closed(path: path)) }
      writer = ConnectionPool([writing], timeout: configuration.busyTimeout)
      readers =
        file.isInMemory
        ? nil
        : ConnectionPool(
          (0..<configuration.readers).map { _ in ConnectionServer { try file.reader(tally) } },
          timeout: configuration.busyTimeout)
    }

    deinit {
      // Close the writer last: if a reader is the last to close the database, the log stays.
      readers?.close()
    }

    /// Waits for current reads and writes, and closes the database.
    ///
    /// The store rejects later calls, and calls that wait for a connection. Unless others have the
    /// database open, closing writes the write-ahead log back and leaves no file beside the
    /// database.
    ///
    /// Calling it again only waits until the database is closed. A store that is deallocated closes
    /// as well, as soon as it is no longer in use.
    ///
    /// - Complexity: O(*n*) in the pages of the write-ahead log.
    public func close() async {
      await closing.withLock { closing in
        let task = closing ?? Task { await self.closeAll() }
        closing = task
        return task
      }.value
    }

    private func closeAll() async {
      let refusal = KinshipError.misuse(.closed(path: path))
      // Close the writer last: if a reader is the last to close the database, the log stays.
      for pool in [readers, writer] {
        for server in await pool?.shut(refusing: refusal) ?? [] { await server.close() }
      }
    }

    /// Counts of the work asked of SQLite since the store was opened.
    public var statistics: SQLiteStatistics { tally.value }

    /// Runs SQL that returns no rows, such as changes of the schema, in one transaction.
    ///
    /// The SQL may have any number of statements. Never build it from data, because it is run
    /// unchanged. If you change columns that tables are mapped to, open a new store.
    ///
    /// - Parameter sql: The statements.
    /// - Throws: `SQLiteError`; `KinshipError.misuse(.readOnlyStore)` if the store is opened for
    ///   reading only; `CancellationError` if the task is cancelled. In these cases, nothing has
    ///   changed.
    public func execute(_ sql: String) async throws {
      try requireWriting()
      try await writer.run { connection in
        try connection.transaction("IMMEDIATE") {
          try connection.execute(sql)
          try connection.requirePlace()
        }
        self.sharing.noteUnlogged(nil)
      }
    }

    func requireWriting() throws(KinshipError) {
      guard configuration.access == .readWrite else {
        throw .misuse(.readOnlyStore("The SQLiteStore at \(path)"))
      }
    }

    func read<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      // In the calling task, regardless of the amount.
      try await (readers ?? writer).run(isBrief: true, body)
    }
  }

  extension SQLTable {
    fileprivate func find(_ number: Int, in connection: Connection) throws -> any TrackedTable {
      let dialect = SQLiteDialect(encoding: try connection.pragma("PRAGMA encoding"))
      let plan = try TablePlan(self, number: number, dialect) { try FoundTable($0, in: connection) }
      try plan.checkMapping(from: connection)
      return plan
    }
  }

  /// The mapping of a record type to a table of a SQLite database.
  public typealias SQLiteTable = SQLTable

  /// The system's SQLite library.
  public enum SQLiteLibrary {
    /// The version of the library, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
  }
#endif
