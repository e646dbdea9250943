#if PostgreSQL
  public import Kinship
  public import KinshipSQL

  /// A backing store on a PostgreSQL server.
  ///
  /// ```swift
  /// let store = try await PostgreSQLStore(
  ///   conninfo,
  ///   PostgreSQLTable<Artist>("artist", id: "artist_id"),
  ///   PostgreSQLTable<Album>(
  ///     "album", id: "album_id", columns: [.column(\.artist, "artist_id")],
  ///     lists: [.toMany(\.tracks, table: "track", foreignKey: "album_id", key: "track_id")]),
  ///   PostgreSQLTable<Track>("track", id: "track_id"))
  /// let cache = try GraphCache(for: Artist.self, Album.self, Track.self, store: store)
  /// ```
  ///
  /// Each connection serves one task at a time, on a thread of its own. What is lost is connected
  /// again by whoever comes next.
  public final class PostgreSQLStore: SharedStore {
    let plans: [ObjectIdentifier: any ErasedPlan]
    /// By the number of a table: one that refers to another has a higher rank.
    let ranks: [UInt32: Int]
    let pool: ConnectionPool<Server>
    let graphs = GraphStatements()
    let effects = KnownSideEffects()
    let configuration: PostgreSQLConfiguration
    /// The caches that follow the store.
    public let followers = StoreFollowers()
    let log: StoreLog

    /// Connects to a database and finds the tables in it.
    ///
    /// - Parameters:
    ///   - conninfo: Where it is, as libpq has it: `host=… dbname=…`, or a URI.
    ///   - tables: How the record types lie in tables, each type once. Tables are looked for in the
    ///     schemas of the connection's search path.
    ///   - configuration: How the database is used.
    /// - Throws: `PostgreSQLError` if there is no connection to the server, or a column cannot be
    ///   read; `SQLMappingError` if the database has not all tables and columns;
    ///   `KinshipError.duplicateType` if two tables hold one type; `CancellationError`.
    public convenience init<each R: GraphRecord>(
      _ conninfo: String, _ tables: repeat PostgreSQLTable<each R>,
      configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws {
      var erased: [any ErasedTable] = []
      repeat erased.append(each tables)
      try await self.init(conninfo, tables: erased, configuration)
    }

    init(
      _ conninfo: String, tables: [any ErasedTable], _ configuration: PostgreSQLConfiguration
    ) async throws {
      var settings = ConnectionSettings(conninfo)
      settings.connectTimeout = configuration.connectTimeout
      settings.statementTimeout = configuration.statementTimeout
      settings.lockTimeout = configuration.lockTimeout
      settings.setup = configuration.setup
      self.configuration = configuration
      let (types, made) = (TypeCatalog(), settings)
      let pool = ConnectionPool(
        (0..<configuration.connections).map { _ in Server(made, types: types) },
        timeout: configuration.poolTimeout)
      self.pool = pool
      let plans: [ObjectIdentifier: any ErasedPlan]
      (plans, ranks) = try await pool.run { connection in
        var plans: [ObjectIdentifier: any ErasedPlan] = [:]
        for (number, table) in tables.enumerated() {
          let plan = try table.erasedPlan(number, in: connection)
          let type = plan.recordType
          guard plans.updateValue(plan, forKey: ObjectIdentifier(type)) == nil else {
            throw KinshipError.duplicateType(name: type.recordName, "\(type)", "\(type)")
          }
        }
        return (plans, try TableRanks.of(plans.values.map(\.table), in: connection))
      }
      self.plans = plans
      settings.conninfo = configuration.listenerConninfo ?? conninfo
      log = StoreLog(
        TrackingSQL(plans.values.map(\.tracked).sorted { $0.record < $1.record }), pool,
        // Slow statements must not keep the store from hearing of changes.
        asking: ConnectionPool([Server(made, types: types)], timeout: configuration.poolTimeout),
        listener: Server(settings, types: types), configuration)
      try await log.open()
    }

    /// Runs SQL that returns no rows, any number of statements, in one transaction: such as what
    /// changes the schema.
    ///
    /// Never build the text from data: it is run as it stands. A change of columns that tables are
    /// mapped to needs a new store.
    ///
    /// - Parameter sql: The statements.
    /// - Throws: `PostgreSQLError`; `CancellationError` if the task is cancelled. Then nothing has
    ///   changed, unless it is `PostgreSQLError.unknownOutcome`.
    public func execute(_ sql: String) async throws {
      try await pool.run { connection in
        try connection.transaction { try connection.execute(sql) }
      }
      effects.lookAgain()
    }

    func plan<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> PostgreSQLPlan<R> {
      guard let plan = plans[ObjectIdentifier(type)] as? PostgreSQLPlan<R> else {
        throw .unknownType(R.recordName)
      }
      return plan
    }
  }
#endif
