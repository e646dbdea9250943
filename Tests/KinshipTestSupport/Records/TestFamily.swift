public import Kinship

/// The records of a family: people, their events, and the places of those.
///
/// Ids are counted from 0 within each type, so that the same id names records of several types.
public struct TestFamily: Hashable, Sendable {
  /// The people of the pedigree, in its order.
  public var people: [TestPerson]

  /// The events of their lives.
  public var events: [TestEvent]

  /// The places of the events, larger places first.
  public var places: [TestPlace]

  /// Makes the records of a pedigree.
  ///
  /// - Parameters:
  ///   - pedigree: The parents and children.
  ///   - eventsPerPerson: How many events a person has.
  ///   - placeCount: The number of places. The first are far more popular than the last.
  ///   - generator: The source of the choices.
  /// - Precondition: `placeCount` is above 0.
  package init(
    _ pedigree: Pedigree, eventsPerPerson: ClosedRange<Int> = 0...3, placeCount: Int = 10,
    using generator: inout SplitMix64
  ) {
    let popularity = ZipfDistribution(count: placeCount, exponent: 1)
    places = (0..<placeCount).map { id in
      let region = id == 0 ? nil : Ref<TestPlace>(Int.random(in: 0..<id, using: &generator))
      return TestPlace(id: id, name: "Place \(id)", region: region)
    }
    var events: [TestEvent] = []
    people = pedigree.people.map { person in
      let count = Int.random(in: eventsPerPerson, using: &generator)
      let own = (events.count..<events.count + count).map { id in
        TestEvent(
          id: id, title: "Event \(id)", person: Ref(person.id),
          place: generator.chance(0.1) ? nil : Ref(popularity.draw(using: &generator)))
      }
      events += own
      return TestPerson(
        id: person.id, name: "Person \(person.id)",
        father: person.father.map { Ref($0) }, mother: person.mother.map { Ref($0) },
        children: person.children.map { Ref($0) }, events: own.map(\.ref))
    }
    self.events = events
  }

  /// A store that has all the records.
  ///
  /// - Returns: A new store.
  public func store() -> MemoryStore {
    let store = MemoryStore()
    store.insert(people)
    store.insert(events)
    store.insert(places)
    return store
  }
}
