#if PostgreSQL
  internal import CPostgreSQL
  public import Kinship
  @_exported public import KinshipSQL
  public import KinshipSync

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
  /// Each connection serves one task at a time, on its own thread. The next task replaces a lost
  /// connection.
  public final class PostgreSQLStore: SQLStore, SharedStore {
    let plans: [ObjectIdentifier: any MappedTable]
    /// The rank of each table, by its number; a table that refers to another has a higher rank.
    let ranks: [UInt32: Int]
    let pool: ConnectionPool<Server>
    /// The statements of recent graphs; most graphs use one of a few plans.
    let graphs = Lock<[GraphOutline.Shape: [String]]>([:])
    let effects = KnownSideEffects()
    let configuration: PostgreSQLConfiguration
    /// The caches that follow the store.
    public let followers = StoreFollowers()
    let log: StoreLog

    /// Connects to a database and finds the tables in it.
    ///
    /// - Parameters:
    ///   - conninfo: The connection string for libpq: `host=… dbname=…`, or a URI.
    ///   - tables: The mappings of the record types to tables, each type once. Tables are looked up
    ///     in the schemas of the connection's search path.
    ///   - configuration: The settings for using the database.
    /// - Throws: `PostgreSQLError` if there is no connection to the server, or a column cannot be
    ///   read; `SQLMappingError` if the database lacks tables or columns;
    ///   `KinshipError.invalidSchema(.duplicateType)` if two tables hold one type;
    ///   `CancellationError`.
    public convenience init<each R: GraphRecord>(
      _ conninfo: String, _ tables: repeat PostgreSQLTable<each R>,
      configuration: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) async throws {
      var finders: [TableFinder] = []
      repeat finders.append((each tables).find)
      try await self.init(conninfo, finders, configuration)
    }

    /// Finds a table, given its number, in the database.
    private typealias TableFinder = @Sendable (Int, Connection) throws -> any MappedTable

    private init(
      _ conninfo: String, _ finders: [TableFinder], _ configuration: PostgreSQLConfiguration
    ) async throws {
      self.configuration = configuration
      let types = TypeCatalog()
      func server(_ conninfo: String) -> Server {
        Server(
          ConnectionSettings(conninfo: conninfo, configuration: configuration), types: types)
      }
      let pool = ConnectionPool(
        (0..<configuration.connections).map { _ in server(conninfo) },
        timeout: configuration.poolTimeout)
      self.pool = pool
      let plans: [ObjectIdentifier: any MappedTable]
      (plans, ranks) = try await pool.run { connection in
        var plans: [ObjectIdentifier: any MappedTable] = [:]
        for (number, find) in finders.enumerated() {
          let plan = try find(number, connection)
          let type = plan.recordType
          guard plans.updateValue(plan, forKey: ObjectIdentifier(type)) == nil else {
            throw KinshipError.invalidSchema(
              .duplicateType(name: type.recordName, "\(type)", "\(type)"))
          }
        }
        return (plans, try TableRanks.of(plans.values.map(\.table), in: connection))
      }
      self.plans = plans
      log = StoreLog(
        TrackingSQL(
          plans.values.sorted { $0.recordType.recordName < $1.recordType.recordName }
            .flatMap(\.tracked)), pool,
        // Slow statements must not keep the store from learning of changes.
        asking: ConnectionPool([server(conninfo)], timeout: configuration.poolTimeout),
        listener: server(configuration.listenerConninfo ?? conninfo), configuration)
      try await log.open()
    }

    /// Runs SQL that returns no rows, such as changes of the schema, in one transaction.
    ///
    /// The SQL may have any number of statements. Never build it from data, because it is run
    /// unchanged. If you change columns that tables are mapped to, open a new store.
    ///
    /// - Parameter sql: The statements.
    /// - Throws: `PostgreSQLError`; `CancellationError` if the task is cancelled. In these cases,
    ///   nothing has changed, unless the error is `PostgreSQLError.unknownOutcome`.
    public func execute(_ sql: String) async throws {
      try await pool.run { connection in
        try connection.transaction { try connection.execute(sql) }
      }
      effects.lookAgain()
    }

    func plan<R: GraphRecord>(_ type: R.Type) throws(KinshipError) -> PostgreSQLPlan<R> {
      guard let plan = plans[ObjectIdentifier(type)] as? PostgreSQLPlan<R> else {
        throw .invalidSchema(.noTable(type: R.recordName, store: "PostgreSQLStore"))
      }
      return plan
    }
  }

  extension SQLTable {
    fileprivate func find(
      _ number: Int, in connection: Connection
    ) throws -> any MappedTable { try PostgreSQLPlan(self, number: number, in: connection) }
  }

  /// The mapping of a record type to a table of a PostgreSQL database.
  ///
  /// Columns hold dates and UUIDs in PostgreSQL's own types. Formats are for databases without such
  /// types.
  public typealias PostgreSQLTable = SQLTable

  /// The client library of PostgreSQL, libpq.
  public enum PostgreSQLLibrary {
    /// The version of the library as a number, such as 150018 for 15.18.
    public static var version: Int { Int(PQlibVersion()) }
  }

  /// The order in which rows are inserted into tables that refer to one another.
  enum TableRanks {
    /// Gives each table a rank that is higher than those of the tables that it refers to.
    ///
    /// If tables refer to each other, this holds for the one that is visited first.
    static func of(_ tables: [UInt32], in connection: Connection) throws -> [UInt32: Int] {
      let numbers = try PostgreSQLType.oid.parameter(arrayOf: tables.map { .integer(Int64($0)) })
      let keys = try connection.query(
        """
        SELECT conrelid, confrelid FROM pg_catalog.pg_constraint
        WHERE contype = 'f' AND conrelid = ANY($1) AND confrelid = ANY($1)
        """, [numbers])
      var targets: [UInt32: [UInt32]] = [:]
      for key in keys.all {
        if let from = key.oid(at: 0), let to = key.oid(at: 1) {
          targets[from, default: []].append(to)
        }
      }
      return ranks(tables.sorted(), targets)
    }

    static func ranks(_ tables: [UInt32], _ targets: [UInt32: [UInt32]]) -> [UInt32: Int] {
      var ranks: [UInt32: Int] = [:]
      var visited: Set<UInt32> = []
      func visit(_ table: UInt32) {
        guard visited.insert(table).inserted else { return }
        for target in targets[table] ?? [] { visit(target) }
        ranks[table] = ranks.count
      }
      for table in tables { visit(table) }
      return ranks
    }
  }
#endif
