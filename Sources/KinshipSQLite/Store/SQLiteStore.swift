#if SQLite
  public import Kinship
  public import KinshipSQL

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
  /// One connection writes, on a thread of its own; where commits do not wait for the disk
  /// (``SQLiteConfiguration/synchronous``), a change of at most 16 records is made in the task that
  /// asks for it. Others read at the same time, in the tasks that ask: what they see is the state
  /// before a write or after it.
  public final class SQLiteStore: BackingStore {
    let plans: [ObjectIdentifier: any ErasedTablePlan]
    let writer: ConnectionPool<Writer>
    /// None where one connection does everything.
    let readers: ConnectionPool<Reader>?
    let configuration: SQLiteConfiguration
    let tally: Tally
    /// The state of the database that was seen last, to notice changes from outside.
    let seen: Lock<Int64>
    let openedVersion: Int64
    /// What others write.
    let sharing: DatabaseSharing
    /// By type: the last id that was chosen for a row.
    let lastIDs = Lock<[ObjectIdentifier: Int64]>([:])
    private let path: String
    /// The closing, once it was begun.
    private let closing = Lock<Task<Void, Never>?>(nil)

    /// Opens a database and finds the tables in it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:` for a database in memory.
    ///   - tables: How the record types lie in tables, each type once.
    ///   - configuration: How the database is opened and written.
    /// - Throws: `SQLiteError` if the file cannot be opened, `SQLMappingError` if it has not all
    ///   tables and columns, `KinshipError.duplicateType` if two tables hold one type.
    public convenience init<each R: GraphRecord>(
      at path: String, _ tables: repeat SQLiteTable<each R>,
      configuration: SQLiteConfiguration = SQLiteConfiguration()
    ) throws {
      var erased: [any ErasedTable] = []
      repeat erased.append(each tables)
      try self.init(at: path, tables: erased, configuration)
    }

    init(at path: String, tables: [any ErasedTable], _ configuration: SQLiteConfiguration) throws {
      let file = DatabaseFile(path: path, configuration: configuration)
      let tally = Tally()
      self.path = path
      self.configuration = configuration
      self.tally = tally
      let opened = try file.writer(tally)
      var plans: [ObjectIdentifier: any ErasedTablePlan] = [:]
      for (number, table) in tables.enumerated() {
        let plan = try table.erasedPlan(number, in: opened)
        let type = plan.recordType
        guard plans.updateValue(plan, forKey: ObjectIdentifier(type)) == nil else {
          throw KinshipError.duplicateType(name: type.recordName, "\(type)", "\(type)")
        }
      }
      self.plans = plans
      sharing = try DatabaseSharing(Array(plans.values), in: opened)
      openedVersion = try opened.dataVersion()
      seen = Lock(openedVersion)
      try opened.serve()
      writer = ConnectionPool([Writer(opened, path: path)], timeout: configuration.busyTimeout)
      readers =
        file.isInMemory
        ? nil
        : ConnectionPool(
          (0..<configuration.readers).map { _ in Reader(file, tally) },
          timeout: configuration.busyTimeout)
    }

    deinit {
      // The writer is to be the last: of a database that a reader closes last, the log stays.
      readers?.close()
    }

    /// Waits until those who read and write are done, and closes the database.
    ///
    /// Whoever comes later is refused, and so is who waits for a connection. Unless somebody else
    /// has it open, the write-ahead log is written back, and beside the database no file is left.
    /// To close it again does nothing but wait until it is closed. A store that goes away is closed
    /// as well, as soon as nobody uses it.
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
      let refusal = KinshipError.closed(path: path)
      // The writer is to be the last: of a database that a reader closes last, the log stays.
      for reader in await readers?.shut(refusing: refusal) ?? [] { await reader.close() }
      for writer in await writer.shut(refusing: refusal) { await writer.close() }
    }

    /// How much has been asked of SQLite since the store was opened.
    public var statistics: SQLiteStatistics { tally.value }

    /// Runs SQL that returns no rows, any number of statements, in one transaction: such as what
    /// changes the schema.
    ///
    /// Never build the text from data: it is run as it stands. A change of columns that tables are
    /// mapped to needs a new store.
    ///
    /// - Parameter sql: The statements.
    /// - Throws: `SQLiteError`; `KinshipError.readOnlyStore` if the store is opened for reading
    ///   only; `CancellationError` if the task is cancelled. Then nothing has changed.
    public func execute(_ sql: String) async throws {
      guard configuration.access == .readWrite else {
        throw KinshipError.readOnlyStore("SQLiteStore")
      }
      try await writer.run { connection in
        try connection.transaction("IMMEDIATE") {
          try connection.execute(sql)
          try connection.requirePlace()
        }
        self.sharing.noteUnlogged(nil)
      }
    }

    func plan<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> TablePlan<R> {
      guard let plan = plans[ObjectIdentifier(type)] as? TablePlan<R> else {
        throw .unknownType(R.recordName)
      }
      return plan
    }

    /// Runs a closure with a connection that reads.
    func read<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      if let readers { return try await readers.run(body) }
      // As readers do: in the task that asks, however much it is.
      return try await writer.run(isBrief: true, body)
    }
  }

  /// A table of records whose type is known at run time only.
  protocol ErasedTable: Sendable {
    func erasedPlan(_ number: Int, in connection: Connection) throws -> any ErasedTablePlan
  }

  extension SQLTable: ErasedTable {
    func erasedPlan(_ number: Int, in connection: Connection) throws -> any ErasedTablePlan {
      let dialect = SQLiteDialect(encoding: try connection.pragma("PRAGMA encoding"))
      let plan = try plan(number, dialect) { name in try FoundTable(name, in: connection) }
      try plan.checkMapping(from: connection)
      return plan
    }
  }

  /// The plan of a table of records whose type is known at run time only.
  protocol ErasedTablePlan: TrackedTable {
    var recordType: any GraphRecord.Type { get }
  }

  extension TablePlan: ErasedTablePlan {
    var recordType: any GraphRecord.Type { R.self }
  }
#endif
