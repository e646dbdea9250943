import Kinship

/// Who descends from whom, among a set of persons: the ground for every figure about ancestors.
///
/// A damaged file can make persons their own ancestors. Such circles are told in ``circles``; the
/// links inside one are left out of all figures, which are then finite and do not depend on where
/// one began to count.
struct Lineage: Sendable {
  /// The persons, in the order in which they were given.
  let persons: [Ref<Person>]
  /// Groups of persons who are each their own ancestors, through one another.
  let circles: [[Ref<Person>]]

  private let indices: [Ref<Person>: Int]
  /// Each person's parents among the persons, without links inside a circle.
  private let parents: [[Int]]
  /// All persons, parents before their children.
  private let ancestorsFirst: [Int]

  /// A person, and of whom they were born.
  struct Descent {
    let person: Ref<Person>
    let father: Ref<Person>?
    let mother: Ref<Person>?

    init(_ person: Person) {
      self.person = person.ref
      father = person.father
      mother = person.mother
    }

    var parents: [Ref<Person>] { [father, mother].compactMap(\.self) }
  }

  /// Parents who are not among the persons are unknown.
  init(_ persons: [Person]) { self.init(of: persons.map(Descent.init)) }

  init(of descents: [Descent]) {
    let persons = descents.map(\.person)
    self.persons = persons
    var indices: [Ref<Person>: Int] = [:]
    indices.reserveCapacity(persons.count)
    for (index, person) in persons.enumerated() { indices[person] = index }
    self.indices = indices

    let links = descents.map { descent in descent.parents.compactMap { indices[$0] } }
    let components = StronglyConnectedComponents(links).components
    ancestorsFirst = components.flatMap(\.self)

    var component = Array(repeating: 0, count: persons.count)
    for (number, members) in components.enumerated() {
      for member in members { component[member] = number }
    }
    parents = links.enumerated().map { child, parents in
      parents.filter { component[$0] != component[child] }
    }
    circles =
      components
      .filter { $0.count > 1 || links[$0[0]].contains($0[0]) }
      .map { $0.sorted().map { persons[$0] } }
      .sorted { (indices[$0[0]] ?? 0) < (indices[$1[0]] ?? 0) }
  }
}

// MARK: - Figures of one person

extension Lineage {
  /// All that can be counted above a person; zeros for one who is not among the persons.
  func figures(of person: Ref<Person>) -> AncestorFigures {
    guard let index = indices[person] else { return AncestorFigures() }
    return AncestorFigures(
      ancestors: ancestors(of: person).count, near: ancestors(of: person, within: 10).count,
      paths: pathCounts()[index], generations: depths()[index])
  }

  /// The distinct ancestors of a person, nearest first; those at most `generations` away.
  func ancestors(of person: Ref<Person>, within generations: Int = .max) -> [Ref<Person>] {
    guard let index = indices[person] else { return [] }
    var visits = Visits(count: persons.count)
    return ancestors(of: index, within: generations, &visits).map { persons[$0] }
  }

  private func ancestors(
    of person: Int, within generations: Int, _ visits: inout Visits
  ) -> ArraySlice<Int> {
    visits.begin()
    visits.visit(person)
    var generation = 0
    var start = 0
    while start < visits.visited.count, generation < generations {
      let end = visits.visited.count
      for position in start..<end {
        for parent in parents[visits.visited[position]] { visits.visit(parent) }
      }
      start = end
      generation += 1
    }
    return visits.visited.dropFirst()
  }
}

// MARK: - Figures of all persons

extension Lineage {
  /// How many ways lead from each person up to any ancestor, in the order of ``persons``.
  ///
  /// `UInt64.max` means that many or more: the number can double with each generation.
  func pathCounts() -> [UInt64] {
    var counts = Array(repeating: UInt64(0), count: persons.count)
    for person in ancestorsFirst {
      for parent in parents[person] {
        counts[person] = counts[person].addingSaturated(counts[parent]).addingSaturated(1)
      }
    }
    return counts
  }

  /// The length of each person's longest line of ancestors, in the order of ``persons``.
  func depths() -> [Int] {
    var depths = Array(repeating: 0, count: persons.count)
    for person in ancestorsFirst {
      for parent in parents[person] { depths[person] = max(depths[person], depths[parent] + 1) }
    }
    return depths
  }

  /// The person with the most distinct ancestors, the first of several; nil if there are no
  /// persons.
  ///
  /// Whoever has a child has fewer ancestors than the child, so it is someone without children; and
  /// of several children of the same parents one will do.
  ///
  /// - Complexity: O(*p* + the sum of the ancestors of all persons without children, siblings
  ///   counted once).
  func personWithMostAncestors(progress: (Double) -> Void = { _ in }) -> Ref<Person>? {
    var hasChildren = Array(repeating: false, count: persons.count)
    for parent in parents.joined() { hasChildren[parent] = true }

    var visits = Visits(count: persons.count)
    var most: (person: Int, count: Int)?
    var seen: Set<[Int]> = []
    for person in persons.indices where !hasChildren[person] {
      guard seen.insert(parents[person]).inserted else { continue }
      progress(Double(person) / Double(persons.count))
      let count = ancestors(of: person, within: .max, &visits).count
      if count > most?.count ?? -1 { most = (person, count) }
    }
    return most.map { persons[$0.person] }
  }
}

/// Which vertices one search after another has visited, without clearing in between.
private struct Visits {
  private(set) var visited: [Int] = []
  private var search = 0
  private var lastSearch: [Int]

  init(count: Int) {
    lastSearch = Array(repeating: 0, count: count)
  }

  mutating func begin() {
    visited.removeAll(keepingCapacity: true)
    search += 1
  }

  mutating func visit(_ vertex: Int) {
    guard lastSearch[vertex] != search else { return }
    lastSearch[vertex] = search
    visited.append(vertex)
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
