#if SQLite || PostgreSQL
  import Kinship
  import KinshipSQL

  /// The mapping of a genealogy's records to the tables of a database.
  enum GenealogyTables {
    static let persons = SQLTable<Person>(
      "persons",
      columns: [
        .column(\.familyOfBirth, "family_of_birth"), .column(\.fullName, "full_name"),
      ],
      lists: [
        .toMany(
          \.furtherFamilies, through: "person_further_families", from: "person", to: "family",
          orderedBy: "position"),
        .toMany(
          \.families, through: "person_families", from: "person", to: "family",
          orderedBy: "position"),
        .toMany(\.events, table: "events", foreignKey: "person", key: "id"),
      ])

    static let families = SQLTable<Family>(
      "families",
      lists: [
        .toMany(
          \.children, through: "family_children", from: "family", to: "child",
          orderedBy: "position"),
        .toMany(\.events, table: "events", foreignKey: "family", key: "id"),
      ])

    static let events = SQLTable<Event>("events")
    static let places = SQLTable<Place>("places", id: "name")
    static let origin = SQLTable<Origin>("origin")
  }

  /// The SQL that creates the tables of a genealogy.
  ///
  /// A damaged file names persons and families that it lacks, so refs to these have no foreign
  /// keys: a load reports them as missing. Columns and tables by which the referrers of a record
  /// are found have an index each.
  enum GenealogySchema {
    static let sqlite = """
      CREATE TABLE origin (
        id BIGINT PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, size BIGINT NOT NULL,
        checksum TEXT NOT NULL);

      CREATE TABLE places (name TEXT PRIMARY KEY);
      CREATE TABLE persons (
        id TEXT PRIMARY KEY, number BIGINT NOT NULL, full_name TEXT NOT NULL,
        surname TEXT NOT NULL, sex TEXT NOT NULL, father TEXT, mother TEXT,
        family_of_birth TEXT, born BIGINT, died BIGINT, birthplace TEXT REFERENCES places);
      CREATE INDEX persons_by_number ON persons (number, id);
      CREATE INDEX persons_by_father ON persons (father);
      CREATE INDEX persons_by_mother ON persons (mother);
      CREATE INDEX persons_by_family ON persons (family_of_birth);
      CREATE INDEX persons_by_birthplace ON persons (birthplace);
      CREATE INDEX persons_by_birth ON persons (born, number, id);
      CREATE INDEX persons_by_surname ON persons (surname, number, id);

      CREATE TABLE families (id TEXT PRIMARY KEY, husband TEXT, wife TEXT);
      CREATE INDEX families_by_husband ON families (husband);
      CREATE INDEX families_by_wife ON families (wife);

      CREATE TABLE events (
        id BIGINT PRIMARY KEY, kind TEXT NOT NULL, detail TEXT, date TEXT,
        place TEXT REFERENCES places, person TEXT REFERENCES persons,
        family TEXT REFERENCES families);
      CREATE INDEX events_by_place ON events (place);
      CREATE INDEX events_by_person ON events (person);
      CREATE INDEX events_by_family ON events (family);

      \(list("person_families", of: "person", in: "persons", to: "family"))
      \(list("person_further_families", of: "person", in: "persons", to: "family"))
      \(list("family_children", of: "family", in: "families", to: "child"))
      """

    /// PostgreSQL compares texts by their bytes, as the store does, so that the indexes serve it.
    static let postgreSQL = lock + sqlite.replacing(" TEXT", with: " TEXT COLLATE \"C\"")

    /// Makes programs that change the schema at the same time wait for each other.
    static let lock = "SELECT pg_advisory_xact_lock(\(0x6661_6D69_6C79));\n"

    /// A table of a list, one row for each of its refs.
    private static func list(
      _ name: String, of owner: String, in owners: String, to target: String
    ) -> String {
      """
      CREATE TABLE \(name) (
        \(owner) TEXT NOT NULL REFERENCES \(owners), position BIGINT NOT NULL,
        \(target) TEXT NOT NULL, PRIMARY KEY (\(owner), position));
      CREATE INDEX \(name)_by_\(target) ON \(name) (\(target));
      """
    }
  }
#endif
