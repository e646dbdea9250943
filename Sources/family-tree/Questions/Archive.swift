import Kinship

/// A genealogy in a store, and the cache through which all questions are asked of it.
struct Archive: Sendable {
  let cache: GraphCache
  /// Everybody, in the order of the file; who was deleted since is in it and is passed over.
  private(set) var persons: [Ref<Person>]
  let size: Size

  /// How many records of each type there are.
  struct Size: Equatable {
    let persons: Int
    let families: Int
    let events: Int
    let places: Int
  }

  init(_ genealogy: Genealogy, capacity: Int = .max) throws(KinshipError) {
    let store = MemoryStore()
    store.insert(genealogy.persons)
    store.insert(genealogy.families)
    store.insert(genealogy.events)
    store.insert(genealogy.places)
    cache = try GraphCache(
      for: Person.self, Family.self, Event.self, Place.self, store: store, capacity: capacity)
    persons = genealogy.persons.map(\.ref)
    size = Size(
      persons: genealogy.persons.count, families: genealogy.families.count,
      events: genealogy.events.count, places: genealogy.places.count)
  }

  /// Adds those whom changes have added to the end of the list of everybody.
  mutating func note(_ changes: ChangeSet) {
    let added = changes.inserted(Person.self).map(\.ref)
    if added.isEmpty { return }
    let known = Set(persons)
    persons += added.filter { !known.contains($0) }
  }

  /// A person with parents, families, children and what happened to them.
  func household(of person: Ref<Person>) async throws -> Graph<Person> {
    let plan = Plan<Person>
      .following(\.father, \.mother, \.families, \.furtherFamilies, generations: 1)
      .following(\Family.husband, \Family.wife, \Family.children, generations: 2)
      .including(\.events).including(\Family.events).including(\Event.place)
    return try await cache.graph(of: person, plan)
  }

  /// A person's ancestors, with what happened to them and where.
  func pedigree(of person: Ref<Person>, generations: Int) async throws -> FamilyTree {
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
      .including(\.events).including(\Event.place)
    return try await .ancestors(in: cache.graph(of: person, plan), generations: generations)
  }

  /// A person's descendants and whom they married.
  ///
  /// A child is two hops away, by way of the family. One hop beyond the last generation lie its
  /// families, and tell whether there are further descendants. The partners' other families lie
  /// within as many hops and are loaded with them.
  func descendants(of person: Ref<Person>, generations: Int) async throws -> FamilyTree {
    let hops = 2 * generations
    let plan = Plan<Person>.following(\.families, generations: hops + 1)
      .following(\Family.children, generations: hops)
      .following(\Family.husband, \Family.wife, generations: hops + 2)
      .including(\.events).including(\Family.events)
    return try await .descendants(in: cache.graph(of: person, plan), generations: generations)
  }

  /// A person and all ancestors, without their events: the ground for figures.
  func lineage(of person: Ref<Person>) async throws -> Lineage {
    let plan = Plan<Person>.following(\.father, \.mother, generations: .max)
    return Lineage(try await cache.graph(of: person, plan).records(of: Person.self))
  }

  /// Everybody's record, in the order of the file; `progress` is told what share is loaded.
  func everybody(progress: (Double) -> Void = { _ in }) async throws -> [Person] {
    let batch = 10_000
    var everybody: [Person] = []
    for start in stride(from: 0, to: persons.count, by: batch) {
      let refs = Array(persons[start..<min(start + batch, persons.count)])
      everybody += try await cache.find(refs).compactMap(\.self)
      progress(Double(start + refs.count) / Double(persons.count))
    }
    return everybody
  }

  /// What happened to each of some persons, in one batch.
  func events(of persons: [Person]) async throws -> [[Event]] {
    var events = try await cache.resolve(persons.flatMap(\.events))[...]
    return persons.map { person in
      defer { events = events.dropFirst(person.events.count) }
      return Array(events.prefix(person.events.count))
    }
  }
}
