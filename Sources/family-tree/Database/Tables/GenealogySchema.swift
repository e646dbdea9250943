#if SQLite
  import KinshipSQLite

  /// How a genealogy lies in a database.
  enum GenealogySchema {
    /// What makes the tables, all or none.
    ///
    /// A damaged file names persons and families that it lacks, so refs to these have no foreign
    /// keys: what loads them learns that they are missing. Columns and tables by which it is looked
    /// up who refers to a record have an index each.
    static let sql = """
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS source (
        id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, size INTEGER NOT NULL,
        checksum TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS edition (
        id INTEGER PRIMARY KEY CHECK (id = 1), mark TEXT NOT NULL,
        persons INTEGER NOT NULL, families INTEGER NOT NULL, events INTEGER NOT NULL,
        places INTEGER NOT NULL, version INTEGER NOT NULL);

      CREATE TABLE IF NOT EXISTS persons (
        id TEXT PRIMARY KEY, number INTEGER NOT NULL, full_name TEXT NOT NULL,
        surname TEXT NOT NULL, sex TEXT NOT NULL, father TEXT, mother TEXT, family_of_birth TEXT,
        born INTEGER, died INTEGER, birthplace TEXT REFERENCES places);
      CREATE INDEX IF NOT EXISTS persons_by_number ON persons (number, id);
      CREATE INDEX IF NOT EXISTS persons_by_father ON persons (father);
      CREATE INDEX IF NOT EXISTS persons_by_mother ON persons (mother);
      CREATE INDEX IF NOT EXISTS persons_by_family ON persons (family_of_birth);
      CREATE INDEX IF NOT EXISTS persons_by_birthplace ON persons (birthplace);
      CREATE INDEX IF NOT EXISTS persons_by_birth ON persons (born, number, id);
      CREATE INDEX IF NOT EXISTS persons_by_surname ON persons (surname, number, id);

      CREATE TABLE IF NOT EXISTS families (id TEXT PRIMARY KEY, husband TEXT, wife TEXT);
      CREATE INDEX IF NOT EXISTS families_by_husband ON families (husband);
      CREATE INDEX IF NOT EXISTS families_by_wife ON families (wife);

      CREATE TABLE IF NOT EXISTS places (name TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS events (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, detail TEXT, date TEXT,
        place TEXT REFERENCES places, person TEXT REFERENCES persons,
        family TEXT REFERENCES families);
      CREATE INDEX IF NOT EXISTS events_by_place ON events (place);
      CREATE INDEX IF NOT EXISTS events_by_person ON events (person);
      CREATE INDEX IF NOT EXISTS events_by_family ON events (family);

      CREATE TABLE IF NOT EXISTS person_families (
        person TEXT NOT NULL REFERENCES persons, position INTEGER NOT NULL, family TEXT NOT NULL,
        PRIMARY KEY (person, position)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS person_families_by_family ON person_families (family);
      CREATE TABLE IF NOT EXISTS person_further_families (
        person TEXT NOT NULL REFERENCES persons, position INTEGER NOT NULL, family TEXT NOT NULL,
        PRIMARY KEY (person, position)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS person_further_families_by_family
        ON person_further_families (family);
      CREATE TABLE IF NOT EXISTS family_children (
        family TEXT NOT NULL REFERENCES families, position INTEGER NOT NULL, child TEXT NOT NULL,
        PRIMARY KEY (family, position)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS family_children_by_child ON family_children (child);
      COMMIT
      """

    static let persons = SQLiteTable<Person>(
      "persons", translator: PersonTranslator(),
      columns: [
        .column(\.familyOfBirth, "family_of_birth"), .column(\.name.full, "full_name"),
        .column(\.name.surname, "surname"),
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

    static let families = SQLiteTable<Family>(
      "families",
      lists: [
        .toMany(
          \.children, through: "family_children", from: "family", to: "child",
          orderedBy: "position"),
        .toMany(\.events, table: "events", foreignKey: "family", key: "id"),
      ])

    static let events = SQLiteTable<Event>("events", translator: EventTranslator())
    static let places = SQLiteTable<Place>("places", id: "name")
    static let source = SQLiteTable<SourceFile>("source")
    static let edition = SQLiteTable<Edition>("edition")
  }
#endif
