import Kinship
import KinshipPostgreSQL

/// A lineage as a table of a server of its own.
struct LineageDatabase {
  let server: DatabaseServer
  let session: LibpqSession
  private let columns = LibpqSession.columns

  init(_ lineage: Lineage, isSafe: Bool = false) throws {
    server = try DatabaseServer(isSafe: isSafe)
    session = try LibpqSession(server.conninfo)
    try session.fill(lineage)
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
    try session.prepare(
      "change",
      """
      UPDATE ancestor a SET place = n.place
      FROM unnest($1::bigint[], $2::text[]) AS n(id, place) WHERE a.id = n.id
      """)
  }

  func store(byHand: Bool = true) async throws -> PostgreSQLStore {
    let table =
      byHand
      ? PostgreSQLTable<Ancestor>("ancestor", translator: AncestorTranslator())
      : PostgreSQLTable<Ancestor>("ancestor")
    return try await PostgreSQLStore(server.conninfo, table)
  }
}
