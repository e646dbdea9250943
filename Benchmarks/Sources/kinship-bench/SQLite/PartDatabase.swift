import Kinship
import KinshipSQLite

/// Parts in the tables of a database file, with the statements of a program without any library.
final class PartDatabase {
  private let database: RawDatabase
  private let one: RawStatement
  private let connected: RawStatement
  private let insertPart: RawStatement
  private let insertConnection: RawStatement

  private static let settings = """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384
    """

  init(path: String) throws {
    database = try RawDatabase(path: path)
    try database.execute(Self.settings)
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS part (id INTEGER PRIMARY KEY, type TEXT NOT NULL,
        x INTEGER NOT NULL, y INTEGER NOT NULL, date INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS connection (source INTEGER NOT NULL, place INTEGER NOT NULL,
        target INTEGER NOT NULL, PRIMARY KEY (source, place)) WITHOUT ROWID
      """)
    one = try database.prepare("SELECT id, type, x, y, date FROM part WHERE id = ?")
    connected = try database.prepare(
      "SELECT target FROM connection WHERE source = ? ORDER BY place")
    insertPart = try database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)")
    insertConnection = try database.prepare("INSERT INTO connection VALUES (?, ?, ?)")
  }

  /// Inserts parts and their connections in one transaction.
  func insert(_ parts: [Part]) throws {
    try database.transaction("BEGIN IMMEDIATE") {
      for part in parts {
        insertPart.bind(part.id, at: 1)
        insertPart.bind(part.type, at: 2)
        for (place, value) in [part.x, part.y, part.date].enumerated() {
          insertPart.bind(value, at: Int32(place + 3))
        }
        _ = try insertPart.step()
        insertPart.reset()
        for (place, target) in part.connections.enumerated() {
          for (column, value) in [part.id, place, target.id].enumerated() {
            insertConnection.bind(value, at: Int32(column + 1))
          }
          _ = try insertConnection.step()
          insertConnection.reset()
        }
      }
    }
  }

  /// A part and its connections: two statements.
  func part(_ id: Int) throws -> Part? {
    one.bind(id, at: 1)
    defer { one.reset() }
    guard try one.step() else { return nil }
    connected.bind(id, at: 1)
    defer { connected.reset() }
    var connections: [Ref<Part>] = []
    while try connected.step() { connections.append(Ref(connected.int(0))) }
    return Part(
      id: id, type: one.text(1), x: one.int(2), y: one.int(3), date: one.int(4),
      connections: connections)
  }

  /// Visits a part and the parts within `hops`, each once for every path to it.
  ///
  /// Parts that were read are kept in `known`, unless it is `nil`.
  func visit(
    _ id: Int, hops: Int, _ visits: inout Visits, known: inout [Int: Part]?
  ) throws {
    guard let part = try known?[id] ?? part(id) else { return }
    known?[id] = part
    visits.visit(part.digest)
    guard hops > 0 else { return }
    for ref in part.connections {
      try visit(ref.id, hops: hops - 1, &visits, known: &known)
    }
  }

  func count() throws -> Int {
    let statement = try database.prepare("SELECT count(*) FROM part")
    return try statement.step() ? statement.int(0) : 0
  }
}

/// A handwritten translator between rows of parts and records.
struct PartTranslator: RowTranslator {
  let columns = ["id", "type", "x", "y", "date"]

  func record(from row: borrowing SQLRow) throws -> Part {
    Part(
      id: try row.value(at: 0), type: try row.value(at: 1), x: try row.value(at: 2),
      y: try row.value(at: 3), date: try row.value(at: 4), connections: try row.list(0))
  }

  func bind(_ record: Part, to values: inout SQLValues) throws {
    try values.append(record.id)
    try values.append(record.type)
    try values.append(record.x)
    try values.append(record.y)
    try values.append(record.date)
  }

  /// A store over a file of a `PartDatabase`.
  static func store(path: String) throws -> SQLiteStore {
    try SQLiteStore(
      at: path,
      SQLiteTable<Part>(
        "part", translator: PartTranslator(),
        lists: [
          .toMany(
            \.connections, through: "connection", from: "source", to: "target",
            orderedBy: "place")
        ]),
      configuration: .init(synchronous: .normal))
  }
}
