import KinshipProgram

/// Where a genealogy is kept, as `--store` says it: the one place that tells the kinds of stores
/// apart.
enum StoreLocation: Equatable {
  case directory(String)
  #if SQLite
    case database(String)
  #endif
  #if PostgreSQL
    /// A database on a server, by its conninfo.
    case server(String)
  #endif

  static let usage = "DIR, sqlite:FILE or postgresql:CONNINFO"

  /// Reads the value of the option.
  init(_ text: String) throws(Failure) {
    if text.hasPrefix("sqlite:") {
      self = try Self.inDatabase(text)
    } else if text.hasPrefix("postgresql:") || text.hasPrefix("postgres://") {
      self = try Self.onServer(text)
    } else {
      if text.isEmpty { throw Self.misuse(text) }
      self = .directory(text)
    }
  }

  private static func inDatabase(_ text: String) throws(Failure) -> StoreLocation {
    #if SQLite
      let path = String(text.dropFirst("sqlite:".count))
      // A database in memory would be gone between the import and the questions.
      guard !path.isEmpty, path != ":memory:" else { throw misuse(text) }
      return .database(path)
    #else
      throw needs("SQLite", text)
    #endif
  }

  private static func onServer(_ text: String) throws(Failure) -> StoreLocation {
    #if PostgreSQL
      return .server(
        DatabaseName.isURI(text) ? text : String(text.dropFirst("postgresql:".count)))
    #else
      // What follows may hold a password.
      throw needs("PostgreSQL", "postgresql:…")
    #endif
  }

  private static func misuse(_ text: String) -> Failure {
    .misuse("--store takes \(usage); not \(text.quoted)")
  }

  private static func needs(_ trait: String, _ text: String) -> Failure {
    .misuse(
      "--store \(text) needs \(trait), which this program is built without; name a directory, "
        + "or build it with: swift run --traits \(trait) family-tree --store \(text)")
  }

  /// What the provider takes.
  var address: String {
    switch self {
    case .directory(let path): path
    #if SQLite
      case .database(let path): path
    #endif
    #if PostgreSQL
      case .server(let conninfo): conninfo
    #endif
    }
  }

  /// What messages call it.
  var name: String {
    switch self {
    #if PostgreSQL
      case .server(let conninfo): DatabaseName(conninfo).description
    #endif
    default: address
    }
  }

  /// The file or the directory that it is; nil for what is on a server.
  var path: String? {
    switch self {
    #if PostgreSQL
      case .server: nil
    #endif
    default: address
    }
  }

  var provider: any StoredGenealogy.Type {
    switch self {
    case .directory: GenealogyFiles.self
    #if SQLite
      case .database: SQLiteGenealogy.self
    #endif
    #if PostgreSQL
      case .server: PostgreSQLGenealogy.self
    #endif
    }
  }
}
