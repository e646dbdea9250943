import Kinship
import KinshipSQLite

/// The tables of an OO7 database that a walk needs.
enum DesignTables {
  static let setup = """
    CREATE TABLE module (id INTEGER PRIMARY KEY, type TEXT, buildDate INTEGER, manual INTEGER,
      designRoot INTEGER);
    CREATE TABLE complexAssembly (id INTEGER PRIMARY KEY, type TEXT, buildDate INTEGER,
      superAssembly INTEGER, module INTEGER);
    CREATE INDEX complexAssemblies ON complexAssembly (superAssembly);
    CREATE TABLE baseAssembly (id INTEGER PRIMARY KEY, type TEXT, buildDate INTEGER,
      superAssembly INTEGER, module INTEGER);
    CREATE INDEX baseAssemblies ON baseAssembly (superAssembly);
    CREATE TABLE privateComponent (assembly INTEGER, part INTEGER,
      PRIMARY KEY (assembly, part)) WITHOUT ROWID;
    CREATE TABLE sharedComponent (assembly INTEGER, part INTEGER,
      PRIMARY KEY (assembly, part)) WITHOUT ROWID;
    CREATE TABLE compositePart (id INTEGER PRIMARY KEY, type TEXT, buildDate INTEGER,
      document INTEGER, rootPart INTEGER);
    CREATE TABLE atomicPart (id INTEGER PRIMARY KEY, type TEXT, buildDate INTEGER, x INTEGER,
      y INTEGER, docID INTEGER, partOf INTEGER);
    CREATE INDEX parts ON atomicPart (partOf);
    CREATE TABLE connection (id INTEGER PRIMARY KEY, type TEXT, length INTEGER, source INTEGER,
      target INTEGER);
    CREATE INDEX connections ON connection (source);
    PRAGMA journal_mode = WAL;
    """

  /// A store over such a file, whose many rows are translated by hand.
  static func store(path: String) throws -> SQLiteStore {
    try SQLiteStore(
      at: path,
      SQLiteTable<Module>("module"),
      SQLiteTable<ComplexAssembly>(
        "complexAssembly",
        lists: [
          .toMany(
            \.subAssemblies, table: "complexAssembly", foreignKey: "superAssembly", key: "id"),
          .toMany(\.baseAssemblies, table: "baseAssembly", foreignKey: "superAssembly", key: "id"),
        ]),
      SQLiteTable<BaseAssembly>(
        "baseAssembly",
        lists: [
          .toMany(\.privateComponents, through: "privateComponent", from: "assembly", to: "part"),
          .toMany(\.sharedComponents, through: "sharedComponent", from: "assembly", to: "part"),
        ]),
      SQLiteTable<CompositePart>(
        "compositePart",
        lists: [.toMany(\.parts, table: "atomicPart", foreignKey: "partOf", key: "id")]),
      SQLiteTable<AtomicPart>(
        "atomicPart", translator: AtomicPartTranslator(),
        columns: [.column(\.partOf, "partOf")],
        lists: [.toMany(\.to, table: "connection", foreignKey: "source", key: "id")]),
      SQLiteTable<Connection>(
        "connection", translator: ConnectionTranslator(),
        columns: [.column(\.from, "source"), .column(\.to, "target")]),
      configuration: .init(synchronous: .normal))
  }
}

private struct AtomicPartTranslator: RowTranslator {
  let columns = ["id", "type", "buildDate", "x", "y", "docID", "partOf"]

  func record(from row: borrowing SQLRow) throws -> AtomicPart {
    AtomicPart(
      id: try row.value(at: 0), type: try row.value(at: 1), buildDate: try row.value(at: 2),
      x: try row.value(at: 3), y: try row.value(at: 4), docID: try row.value(at: 5),
      to: try row.list(0), partOf: try row.value(at: 6))
  }

  func bind(_ record: AtomicPart, to values: inout SQLValues) throws {
    try values.append(record.id)
    try values.append(record.type)
    for value in [record.buildDate, record.x, record.y, record.docID] { try values.append(value) }
    try values.append(record.partOf)
  }
}

private struct ConnectionTranslator: RowTranslator {
  let columns = ["id", "type", "length", "source", "target"]

  func record(from row: borrowing SQLRow) throws -> Connection {
    Connection(
      id: try row.value(at: 0), type: try row.value(at: 1), length: try row.value(at: 2),
      from: try row.value(at: 3), to: try row.value(at: 4))
  }

  func bind(_ record: Connection, to values: inout SQLValues) throws {
    try values.append(record.id)
    try values.append(record.type)
    try values.append(record.length)
    try values.append(record.from)
    try values.append(record.to)
  }
}
