import Kinship
import KinshipPostgreSQL

/// A lineage as a table of a separate server.
struct LineageDatabase {
  let server: DatabaseServer
  let session: LibpqSession
  /// The server's address, perhaps over a slow network.
  private let conninfo: String
  private let network: SlowNetwork?
  private let columns = LibpqSession.columns

  init(
    _ lineage: Lineage, _ durability: DatabaseServer.Durability = .none,
    roundTrip: Duration? = nil
  ) throws {
    let server = try DatabaseServer(durability)
    self.server = server
    try LibpqSession(server.conninfo).fill(lineage)
    network = try roundTrip.map { try SlowNetwork(to: server, roundTrip: $0) }
    conninfo = network?.conninfo ?? server.conninfo
    session = try LibpqSession(conninfo)
    try session.prepare("all", "SELECT \(columns) FROM ancestor")
    try session.prepare("one", "SELECT \(columns) FROM ancestor WHERE id = $1")
    try session.prepare(
      "generation", "SELECT \(columns) FROM ancestor WHERE id = ANY ($1::bigint[])")
    try session.prepare(
      "pedigree",
      """
      WITH RECURSIVE pedigree(\(columns), depth) AS (
        SELECT \(columns), 1 FROM ancestor WHERE id = $1
        UNION ALL
        SELECT a.id, a.name, a.place, a.birth, a.father, a.mother, p.depth + 1
        FROM pedigree p JOIN ancestor a ON a.id = p.father OR a.id = p.mother
        WHERE p.depth < $2::int)
      SELECT DISTINCT ON (id) \(columns) FROM pedigree
      """)
    try session.prepare("insert", Self.insertion)
    try session.prepare(
      "change",
      """
      UPDATE ancestor a SET place = n.place
      FROM unnest($1::bigint[], $2::text[]) AS n(id, place) WHERE a.id = n.id
      """)
  }

  private static let insertion = """
    INSERT INTO ancestor SELECT id, name, place, birth, nullif(father, 0), nullif(mother, 0)
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::float8[], $5::bigint[], $6::bigint[])
      AS n(id, name, place, birth, father, mother)
    """

  func store(byHand: Bool = true, notifies: Bool = true) async throws -> PostgreSQLStore {
    let table =
      byHand
      ? PostgreSQLTable<Ancestor>("ancestor", translator: AncestorTranslator())
      : PostgreSQLTable<Ancestor>("ancestor")
    return try await PostgreSQLStore(
      conninfo, table, configuration: PostgreSQLConfiguration(notifies: notifies))
  }

  /// Makes the database log changes.
  func track() async throws {
    let store = try await store()
    try await store.execute(store.trackingSQL)
  }
}
