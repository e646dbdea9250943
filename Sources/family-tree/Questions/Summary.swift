import Kinship
import KinshipProgram

struct Summary: Equatable {
  /// A person who has the most of something, with the figures about their ancestors.
  struct Leader: Equatable {
    let title: String
    let person: Person
    let figures: AncestorFigures
  }

  /// The numbers of records, such as `3,010 individuals`.
  let size: String
  let leaders: [Leader]
  /// The number of persons who are their own ancestors.
  let inCircles: Int

  init(of archive: Archive) async throws {
    let families = try await archive.cache.find(RecordQuery<Family>().count)
    size = try await [
      archive.cache.find(RecordQuery<Person>().count).counted("individual"),
      families == 1 ? "1 family" : "\(families.grouped) families",
      archive.cache.find(RecordQuery<Event>().count).counted("event"),
      archive.cache.find(RecordQuery<Place>().count).counted("place"),
    ].joined(separator: ", ")
    // For each person only the parents are kept, so that memory suffices for all: the person with
    // the most of something is known only when everybody has been seen.
    var descents: [Lineage.Descent] = []
    try await archive.forEachPage { descents += $0.map { ($0.ref, $0.parents) } }
    let lineage = Lineage(of: descents)
    inCircles = lineage.circles.map(\.count).reduce(0, +)

    func leader(_ title: String, _ person: Ref<Person>?) async throws -> Leader? {
      guard let person else { return nil }
      return try await Leader(
        title: title, person: archive.cache.resolve(person),
        figures: archive.lineage(of: person).figures(of: person))
    }
    func first(_ figures: [some Comparable]) -> Ref<Person>? {
      figures.max().flatMap(figures.firstIndex).map { lineage.persons[$0] }
    }
    leaders = try await [
      leader("Most ancestors", lineage.personWithMostAncestors()),
      leader("Most paths to ancestors", first(lineage.pathCounts())),
      leader("Deepest line", first(lineage.depths())),
    ].compactMap(\.self)
  }
}

struct SummaryText {
  let style: TextStyle

  func draw(_ summary: Summary) -> String {
    var text = summary.size + "\n"
    if summary.inCircles > 0 {
      let circles = "\(summary.inCircles.counted("individual")) among their own ancestors"
      text += style.warning("\(circles); links inside such circles do not count below") + "\n"
    }
    for leader in summary.leaders where leader.figures.ancestors > 0 {
      let (name, id) = (leader.person.name.display, leader.person.id)
      text += "\n\(leader.title): \(style.bold(name)) \(style.dim(id))\n  \(draw(leader.figures))\n"
    }
    return text
  }

  private func draw(_ figures: AncestorFigures) -> String {
    let paths = figures.paths == .max ? "\(UInt64.max.grouped) or more" : figures.paths.grouped
    return "\(figures.ancestors.counted("distinct ancestor")) along \(paths) "
      + "path\(figures.paths == 1 ? "" : "s"), \(figures.near.grouped) of them within 10 "
      + "generations; the deepest line is \(figures.generations.counted("generation")) long"
  }
}
