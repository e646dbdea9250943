import Kinship

/// The records of a file, or of an invented genealogy.
struct Genealogy: Sendable {
  var persons: [Person] = []
  var families: [Family] = []
  /// The id of an event is its position.
  var events: [Event] = []
  var places: [Place] = []

  /// Sets the years and the birthplace of each person from the person's events.
  mutating func noteLives() {
    for index in persons.indices {
      let life = LifeSpan(persons[index].events.map { events[$0.id] })
      persons[index].born = life.birth?.year
      persons[index].died = life.death?.year
      persons[index].birthplace = life.birthplace
    }
  }
}

/// The years of birth and death and the birthplace, from the events of a person.
struct LifeSpan: Equatable {
  var birth: EventDate?
  var death: EventDate?
  var birthplace: Ref<Place>?

  /// A baptism stands in for an unknown birth, a burial for an unknown death.
  init(_ events: some Sequence<Event>) {
    var (baptism, burial): (EventDate?, EventDate?)
    var placeOfBaptism: Ref<Place>?
    for event in events {
      switch event.kind {
      case .birth:
        birth = birth ?? event.date
        birthplace = birthplace ?? event.place
      case .christening, .baptism:
        baptism = baptism ?? event.date
        placeOfBaptism = placeOfBaptism ?? event.place
      case .death: death = death ?? event.date
      case .burial, .cremation: burial = burial ?? event.date
      default: break
      }
    }
    birth = birth?.year == nil ? baptism ?? birth : birth
    death = death?.year == nil ? burial ?? death : death
    birthplace = birthplace ?? placeOfBaptism
  }

  /// `1819–1901`, `b. 1948`, `d. 1066`; `nil` if no year is known.
  var years: String? {
    switch (birth?.shortYear, death?.shortYear) {
    case (let birth?, let death?): "\(birth)–\(death)"
    case (let birth?, nil): "b. \(birth)"
    case (nil, let death?): "d. \(death)"
    case (nil, nil): nil
    }
  }
}
