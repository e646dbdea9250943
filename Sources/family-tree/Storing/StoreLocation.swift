/// Where a genealogy is kept, as `--store` says it: the one place that tells the kinds of stores
/// apart.
enum StoreLocation: Equatable {
  case directory(String)
  #if SQLite
    case database(String)
  #endif

  /// Reads the value of the option.
  init(_ text: String) throws(Failure) {
    let scheme = "sqlite:"
    guard text.hasPrefix(scheme) else {
      if text.isEmpty { throw .misuse("--store takes DIR or sqlite:FILE; not \(text.quoted)") }
      self = .directory(text)
      return
    }
    #if SQLite
      let path = String(text.dropFirst(scheme.count))
      // A database in memory would be gone between the import and the questions.
      guard !path.isEmpty, path != ":memory:" else {
        throw .misuse("--store takes DIR or sqlite:FILE; not \(text.quoted)")
      }
      self = .database(path)
    #else
      throw .misuse(
        "--store \(text) needs SQLite, which this program is built without; name a directory, "
          + "or build it with: swift run --traits SQLite family-tree --store \(text)")
    #endif
  }

  var path: String {
    switch self {
    case .directory(let path): path
    #if SQLite
      case .database(let path): path
    #endif
    }
  }

  var provider: any StoredGenealogy.Type {
    switch self {
    case .directory: GenealogyFiles.self
    #if SQLite
      case .database: GenealogyDatabase.self
    #endif
    }
  }
}
