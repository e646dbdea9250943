import Kinship

/// The records of a file, or of a genealogy that was made up.
struct Genealogy: Sendable {
  var persons: [Person] = []
  var families: [Family] = []
  var events: [Event] = []
  var places: [Place] = []

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
