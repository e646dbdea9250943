import Kinship

/// The pedigree of one person, generation by generation: the person alone is the first.
struct Lineage: Sendable {
  let records: [Ancestor]
  let root: Int

  /// All ancestors are different persons, twice as many in each generation.
  ///
  /// Ids are shuffled, so that relatives are no neighbours in the table.
  static func distinct(count: Int) -> Lineage {
    let ids = shuffledIDs(count)
    func id(at position: Int) -> Int? { position < count ? ids[position] : nil }
    return Lineage(
      records: ids.indices.map { position in
        Ancestor(
          id: ids[position], profile: Profile(number: ids[position]),
          father: id(at: 2 * position + 1), mother: id(at: 2 * position + 2))
      }, root: ids[0])
  }

  /// A village where nobody marries out: the number of persons in a generation is limited, and
  /// the number of paths to them still doubles with each generation.
  static func collapsed(generations: Int, personsEach: Int) -> Lineage {
    let ids = shuffledIDs(generations * personsEach)
    func id(_ generation: Int, _ place: Int) -> Int? {
      generation < generations ? ids[generation * personsEach + place % personsEach] : nil
    }
    return Lineage(
      records: ids.indices.map { position in
        let (generation, place) = position.quotientAndRemainder(dividingBy: personsEach)
        return Ancestor(
          id: ids[position], profile: Profile(number: ids[position]),
          father: id(generation + 1, 2 * place), mother: id(generation + 1, 2 * place + 1))
      }, root: ids[0])
  }

  private static func shuffledIDs(_ count: Int) -> [Int] {
    var generator = SplitMix64(seed: 21)
    return Array(1...count).shuffled(using: &generator)
  }

  /// The number of persons in so many generations, and of the paths to them from the first person.
  func extent(generations: Int) -> (persons: Int, paths: Int) {
    let byID = Dictionary(uniqueKeysWithValues: records.lazy.map { ($0.id, $0) })
    var seen: Set<Int> = [root]
    var paths = [root: 1]
    var total = 1
    for _ in 1..<max(1, generations) {
      var next: [Int: Int] = [:]
      for (id, count) in paths {
        guard let person = byID[id] else { continue }
        for parent in [person.father, person.mother].compactMap({ $0?.id }) {
          next[parent, default: 0] += count
          seen.insert(parent)
        }
      }
      total += next.values.reduce(0, +)
      paths = next
    }
    return (seen.count, total)
  }
}
