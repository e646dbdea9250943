import KinshipSQL

/// How the records of a genealogy lie in the tables of a database.
enum GenealogyTables {
  static let persons = SQLTable<Person>(
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

  static let families = SQLTable<Family>(
    "families",
    lists: [
      .toMany(
        \.children, through: "family_children", from: "family", to: "child",
        orderedBy: "position"),
      .toMany(\.events, table: "events", foreignKey: "family", key: "id"),
    ])

  static let events = SQLTable<Event>("events", translator: EventTranslator())
  static let places = SQLTable<Place>("places", id: "name")
  static let source = SQLTable<SourceFile>("source")
  static let edition = SQLTable<Edition>("edition")
}
