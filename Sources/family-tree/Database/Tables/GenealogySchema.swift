/// The SQL that makes the tables of a genealogy, as far as databases say it in different words.
struct GenealogySchema {
  /// How a table, or an index, is made.
  private let table: String
  private let index: String
  private let integer: String
  private let text: String
  /// What a table has whose rows are found by its primary key alone.
  private let byKey: String

  #if SQLite
    /// What SQLite runs whenever a database is opened for writing: all of it, or nothing.
    static let sqlite = """
      BEGIN IMMEDIATE;
      \(GenealogySchema(
        table: "CREATE TABLE IF NOT EXISTS", index: "CREATE INDEX IF NOT EXISTS",
        integer: "INTEGER", text: "TEXT", byKey: " WITHOUT ROWID"
      ).sql)
      COMMIT
      """
  #endif

  #if PostgreSQL
    /// What PostgreSQL runs once, in one transaction; it fails where one of the tables is there.
    ///
    /// Texts are compared by their bytes everywhere, so they are in the indexes. Whoever makes the
    /// tables at the same time waits, and finds them.
    static let postgreSQL = """
      SELECT pg_advisory_xact_lock(\(0x6661_6D69_6C79));
      \(GenealogySchema(
        table: "CREATE TABLE", index: "CREATE INDEX",
        integer: "BIGINT", text: "TEXT COLLATE \"C\"", byKey: ""
      ).sql)
      """
  #endif

  /// What makes the tables.
  ///
  /// A damaged file names persons and families that it lacks, so refs to these have no foreign
  /// keys: what loads them learns that they are missing. Columns and tables by which it is looked
  /// up who refers to a record have an index each.
  private var sql: String {
    """
    \(table) source (
      id \(integer) PRIMARY KEY CHECK (id = 1), name \(text) NOT NULL, size \(integer) NOT NULL,
      checksum \(text) NOT NULL);
    \(table) edition (
      id \(integer) PRIMARY KEY CHECK (id = 1), mark \(text) NOT NULL,
      persons \(integer) NOT NULL, families \(integer) NOT NULL, events \(integer) NOT NULL,
      places \(integer) NOT NULL, version \(integer) NOT NULL);

    \(table) places (name \(text) PRIMARY KEY)\(byKey);
    \(table) persons (
      id \(text) PRIMARY KEY, number \(integer) NOT NULL, full_name \(text) NOT NULL,
      surname \(text) NOT NULL, sex \(text) NOT NULL, father \(text), mother \(text),
      family_of_birth \(text), born \(integer), died \(integer),
      birthplace \(text) REFERENCES places);
    \(index) persons_by_number ON persons (number, id);
    \(index) persons_by_father ON persons (father);
    \(index) persons_by_mother ON persons (mother);
    \(index) persons_by_family ON persons (family_of_birth);
    \(index) persons_by_birthplace ON persons (birthplace);
    \(index) persons_by_birth ON persons (born, number, id);
    \(index) persons_by_surname ON persons (surname, number, id);

    \(table) families (id \(text) PRIMARY KEY, husband \(text), wife \(text));
    \(index) families_by_husband ON families (husband);
    \(index) families_by_wife ON families (wife);

    \(table) events (
      id \(integer) PRIMARY KEY, kind \(text) NOT NULL, detail \(text), date \(text),
      place \(text) REFERENCES places, person \(text) REFERENCES persons,
      family \(text) REFERENCES families);
    \(index) events_by_place ON events (place);
    \(index) events_by_person ON events (person);
    \(index) events_by_family ON events (family);

    \(list("person_families", of: "person", in: "persons", to: "family"))
    \(list("person_further_families", of: "person", in: "persons", to: "family"))
    \(list("family_children", of: "family", in: "families", to: "child"))
    """
  }

  /// A table of a list, one row for each of its refs.
  private func list(
    _ name: String, of owner: String, in owners: String, to target: String
  ) -> String {
    """
    \(table) \(name) (
      \(owner) \(text) NOT NULL REFERENCES \(owners), position \(integer) NOT NULL,
      \(target) \(text) NOT NULL, PRIMARY KEY (\(owner), position))\(byKey);
    \(index) \(name)_by_\(target) ON \(name) (\(target));
    """
  }
}
