import Kinship

/// The figures of a whole genealogy.
struct Summary: Equatable {
  /// A person, and what can be counted above them.
  struct Leader: Equatable {
    let person: Person
    let figures: AncestorFigures
  }

  let persons: Int
  let families: Int
  let events: Int
  let places: Int
  let mostAncestors: Leader?
  let mostPaths: Leader?
  let deepestLine: Leader?
  /// How many persons are their own ancestors.
  let inCircles: Int

  init(of archive: Archive, progress: (Double) -> Void = { _ in }) async throws {
    persons = try await archive.cache.count(RecordQuery<Person>())
    families = try await archive.cache.count(RecordQuery<Family>())
    events = try await archive.cache.count(RecordQuery<Event>())
    places = try await archive.cache.count(RecordQuery<Place>())
    // Of everybody no more is kept than who descends from whom: nothing about one person can be
    // told to be the most without having seen the others.
    var descents: [Lineage.Descent] = []
    try await archive.forEachPage { descents += $0.map(Lineage.Descent.init) }
    let lineage = Lineage(of: descents)
    inCircles = lineage.circles.map(\.count).reduce(0, +)

    func leader(_ person: Ref<Person>?) async throws -> Leader? {
      guard let person else { return nil }
      return try await Leader(
        person: archive.cache.resolve(person),
        figures: archive.lineage(of: person).figures(of: person))
    }
    mostAncestors = try await leader(lineage.personWithMostAncestors(progress: progress))
    mostPaths = try await leader(lineage.leader(in: lineage.pathCounts()))
    deepestLine = try await leader(lineage.leader(in: lineage.depths()))
  }
}

extension Lineage {
  /// The person with the greatest of figures in the order of the persons; the first of several.
  fileprivate func leader(in figures: [some Comparable]) -> Ref<Person>? {
    guard let most = figures.max() else { return nil }
    return figures.firstIndex(of: most).map { persons[$0] }
  }
}
