import Kinship

/// The records of a file, or of a genealogy that was made up.
struct Genealogy: Sendable {
  var persons: [Person] = []
  var families: [Family] = []
  var events: [Event] = []
  var places: [Place] = []

  var size: Archive.Size {
    Archive.Size(
      persons: persons.count, families: families.count, events: events.count,
      places: places.count)
  }

  /// Notes with each person what the person's events tell of birth and death.
  ///
  /// The id of an event is its position.
  mutating func noteLives() {
    for index in persons.indices {
      let life = LifeSpan(persons[index].events.map { events[$0.id] })
      persons[index].born = life.birth?.year
      persons[index].died = life.death?.year
      persons[index].birthplace = life.birthplace
    }
  }
}

extension GraphCache.Transaction {
  /// Inserts all records of a genealogy.
  mutating func insert(_ genealogy: Genealogy) throws(KinshipError) {
    for person in genealogy.persons { try insert(person) }
    for family in genealogy.families { try insert(family) }
    for event in genealogy.events { try insert(event) }
    for place in genealogy.places { try insert(place) }
  }
}
