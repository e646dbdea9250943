import Kinship

/// The figures of a whole genealogy.
struct Summary: Equatable {
  /// A person, and what can be counted above them.
  struct Leader: Equatable {
    let person: Person
    let figures: AncestorFigures
  }

  let size: Archive.Size
  let mostAncestors: Leader?
  let mostPaths: Leader?
  let deepestLine: Leader?
  /// How many persons are their own ancestors.
  let inCircles: Int

  init(of archive: Archive, progress: (Double) -> Void = { _ in }) async throws {
    size = archive.size
    let everybody = try await archive.everybody()
    let lineage = Lineage(everybody)
    inCircles = lineage.circles.map(\.count).reduce(0, +)

    func leader(_ figures: [some Comparable]) async throws -> Leader? {
      // Of several with the same figure, the first in the file leads.
      guard let most = figures.max(), let index = figures.firstIndex(of: most) else { return nil }
      let person = everybody[index]
      return try await Leader(
        person: person, figures: archive.lineage(of: person.ref).figures(of: person.ref))
    }
    mostAncestors = try await leader(lineage.ancestorCounts(progress: progress))
    mostPaths = try await leader(lineage.pathCounts())
    deepestLine = try await leader(lineage.depths())
  }
}
