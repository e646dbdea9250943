/// The ancestors of one person, generation by generation.
///
/// Some of them have several places.
public struct Pedigree: Hashable, Sendable {
  /// One of the people.
  public struct Person: Hashable, Sendable {
    /// The index in ``Pedigree/people``.
    public let id: Int

    /// How many generations before the root this person lived.
    public let generation: Int

    /// The father, if he is known.
    public fileprivate(set) var father: Int?

    /// The mother, if she is known.
    public fileprivate(set) var mother: Int?

    /// The children, in order of their ids.
    public fileprivate(set) var children: [Int] = []
  }

  /// All people, the root first, then by generation.
  public private(set) var people: [Person]

  /// Makes a random pedigree.
  ///
  /// - Parameters:
  ///   - generations: How many generations of ancestors there are at most.
  ///   - width: The maximum number of people in one generation: above that, cousins share
  ///     ancestors.
  ///   - collapse: The probability that a person's parents are a couple that has a child already.
  ///   - unknown: The probability that a parent of a new couple is unknown.
  ///   - generator: The source of the choices.
  /// - Returns: The pedigree. Without collapse, unknown parents and a limit of width it has
  ///   2^(`generations` + 1) - 1 people.
  /// - Precondition: `width` is 2 at least.
  package static func random(
    generations: Int, width: Int = .max, collapse: Double = 0, unknown: Double = 0,
    using generator: inout SplitMix64
  ) -> Pedigree {
    precondition(width >= 2, "a generation has room for one couple at least")
    var pedigree = Pedigree(people: [Person(id: 0, generation: 0)])
    var current = 0..<1
    for generation in 1..<max(1, generations + 1) {
      let first = pedigree.people.count
      var couples: [(father: Int?, mother: Int?)] = []
      for child in current {
        let isFull = pedigree.people.count - first > width - 2
        if let couple = couples.randomElement(using: &generator),
          isFull || generator.chance(collapse)
        {
          pedigree.adopt(child, by: couple)
        } else {
          let father = generator.chance(unknown) ? nil : pedigree.add(generation)
          let mother = generator.chance(unknown) ? nil : pedigree.add(generation)
          couples.append((father, mother))
          pedigree.adopt(child, by: (father, mother))
        }
      }
      current = first..<pedigree.people.count
    }
    return pedigree
  }

  private mutating func add(_ generation: Int) -> Int {
    people.append(Person(id: people.count, generation: generation))
    return people.count - 1
  }

  private mutating func adopt(_ child: Int, by couple: (father: Int?, mother: Int?)) {
    people[child].father = couple.father
    people[child].mother = couple.mother
    if let father = couple.father { people[father].children.append(child) }
    if let mother = couple.mother { people[mother].children.append(child) }
  }
}
