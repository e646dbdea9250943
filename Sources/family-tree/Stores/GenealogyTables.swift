#if SQLite || PostgreSQL
  import Kinship
  import KinshipSQL

  /// The mapping of a genealogy's records to the tables of a database.
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

    static let events = SQLTable<Event>("events")
    static let places = SQLTable<Place>("places", id: "name")
    static let origin = SQLTable<Origin>("origin")
  }

  /// Translates persons into rows and back.
  private struct PersonTranslator: RowTranslator {
    /// No column is called like the property `name`, which two of them hold: a change of the name
    /// writes both.
    let columns = [
      "id", "number", "full_name", "surname", "sex", "father", "mother", "family_of_birth",
      "born", "died", "birthplace",
    ]

    func record(from row: borrowing SQLRow) throws -> Person {
      Person(
        id: try row.value(at: 0), number: try row.value(at: 1),
        name: PersonName(full: try row.value(at: 2), surname: try row.value(at: 3)),
        sex: try row.value(at: 4), father: try row.value(at: 5), mother: try row.value(at: 6),
        familyOfBirth: try row.value(at: 7), furtherFamilies: try row.list(0),
        families: try row.list(1), events: try row.list(2), born: try row.value(at: 8),
        died: try row.value(at: 9), birthplace: try row.value(at: 10))
    }

    func bind(_ person: Person, to values: inout SQLValues) throws {
      try values.append(person.id)
      try values.append(person.number)
      try values.append(person.name.full)
      try values.append(person.name.surname)
      try values.append(person.sex)
      try values.append(person.father)
      try values.append(person.mother)
      try values.append(person.familyOfBirth)
      try values.append(person.born)
      try values.append(person.died)
      try values.append(person.birthplace)
    }
  }

  extension Sex: SQLConvertible {}
#endif
