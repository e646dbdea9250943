import Kinship

/// The descent among a set of persons, from which all figures about ancestors are computed.
///
/// A damaged file can make persons their own ancestors. The links inside such a circle are left
/// out of all figures, which are then finite and do not depend on where one began to count.
struct Lineage: Sendable {
  typealias Descent = (person: Ref<Person>, parents: [Ref<Person>])

  /// The persons, in the order in which they were given.
  let persons: [Ref<Person>]
  /// Groups of persons who are all ancestors of each other, and so of themselves.
  let circles: [[Ref<Person>]]

  private let indices: [Ref<Person>: Int]
  /// Each person's parents among the persons, without links inside a circle.
  private let parents: [[Int]]
  /// All persons, parents before their children.
  private let ancestorsFirst: [Int]

  init(_ persons: [Person]) { self.init(of: persons.map { ($0.ref, $0.parents) }) }

  /// Parents who are not among the persons are unknown.
  init(of descents: [Descent]) {
    let persons = descents.map(\.person)
    let indices = Dictionary(zip(persons, persons.indices)) { first, _ in first }
    let links = descents.map { descent in descent.parents.compactMap { indices[$0] } }
    let components = Self.components(of: links)
    var component = Array(repeating: 0, count: persons.count)
    for (number, members) in components.enumerated() {
      for member in members { component[member] = number }
    }
    (self.persons, self.indices, ancestorsFirst) = (persons, indices, components.flatMap(\.self))
    parents = links.enumerated().map { child, parents in
      parents.filter { component[$0] != component[child] }
    }
    circles = components.filter { $0.count > 1 || links[$0[0]].contains($0[0]) }
      .map { $0.sorted() }.sorted { $0[0] < $1[0] }
      .map { $0.map { persons[$0] } }
  }

  /// The vertices of a graph in groups of those that can all reach one another; each group comes
  /// after all those that it leads to.
  ///
  /// Kosaraju's algorithm, without recursion: a line of ancestors can be as deep as a file is long.
  private static func components(of edges: [[Int]]) -> [[Int]] {
    var finished: [Int] = []
    var isVisited = Array(repeating: false, count: edges.count)
    for root in edges.indices where !isVisited[root] {
      isVisited[root] = true
      var calls = [(vertex: root, next: 0)]
      while let (vertex, next) = calls.popLast() {
        guard next < edges[vertex].count else {
          finished.append(vertex)
          continue
        }
        calls.append((vertex, next + 1))
        let target = edges[vertex][next]
        if !isVisited[target] { calls.append((target, 0)) }
        isVisited[target] = true
      }
    }
    var sources = Array(repeating: [Int](), count: edges.count)
    for (vertex, targets) in edges.enumerated() {
      for target in targets { sources[target].append(vertex) }
    }
    var components: [[Int]] = []
    var isTaken = Array(repeating: false, count: edges.count)
    for root in finished.reversed() where !isTaken[root] {
      isTaken[root] = true
      var component = [root]
      var position = 0
      while position < component.count {
        for source in sources[component[position]] where !isTaken[source] {
          isTaken[source] = true
          component.append(source)
        }
        position += 1
      }
      components.append(component)
    }
    return components.reversed()
  }
}

// MARK: - Figures

struct AncestorFigures: Equatable {
  var ancestors = 0
  var near = 0
  /// The number of paths up to any ancestor; `UInt64.max` means that many or more.
  var paths: UInt64 = 0
  var generations = 0
}

extension Lineage {
  /// The figures about a person's ancestors; zeros for a person who is not among the persons.
  func figures(of person: Ref<Person>) -> AncestorFigures {
    guard let index = indices[person] else { return AncestorFigures() }
    return AncestorFigures(
      ancestors: ancestors(of: person).count, near: ancestors(of: person, within: 10).count,
      paths: pathCounts()[index], generations: depths()[index])
  }

  /// The distinct ancestors of a person, nearest first; those at most `generations` away.
  func ancestors(of person: Ref<Person>, within generations: Int = .max) -> [Ref<Person>] {
    guard let index = indices[person] else { return [] }
    return ancestors(of: index, within: generations).map { persons[$0] }
  }

  private func ancestors(of person: Int, within generations: Int = .max) -> ArraySlice<Int> {
    var found = [person]
    var isFound: Set = [person]
    var (start, generation) = (0, 0)
    while start < found.count, generation < generations {
      let children = found[start...]
      (start, generation) = (found.count, generation + 1)
      for child in children {
        for parent in parents[child] where isFound.insert(parent).inserted { found.append(parent) }
      }
    }
    return found.dropFirst()
  }

  /// The number of paths from each person up to any ancestor, in the order of ``persons``.
  ///
  /// `UInt64.max` means that many or more: the number can double with each generation.
  func pathCounts() -> [UInt64] {
    var counts = Array(repeating: UInt64(0), count: persons.count)
    func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let (sum, overflow) = left.addingReportingOverflow(right)
      return overflow ? .max : sum
    }
    for person in ancestorsFirst {
      counts[person] = parents[person].reduce(0) { sum(sum($0, counts[$1]), 1) }
    }
    return counts
  }

  /// The length of each person's longest line of ancestors, in the order of ``persons``.
  func depths() -> [Int] {
    var depths = Array(repeating: 0, count: persons.count)
    for person in ancestorsFirst {
      depths[person] = parents[person].map { depths[$0] + 1 }.max() ?? 0
    }
    return depths
  }

  /// The person with the most distinct ancestors, the first of several; `nil` if there are none.
  ///
  /// A person with a child has fewer ancestors than the child, so it is someone without children;
  /// and of several children of the same parents one will do.
  func personWithMostAncestors() -> Ref<Person>? {
    let haveChildren = Set(parents.joined())
    var most: (person: Int, count: Int)?
    var seen: Set<[Int]> = []
    for person in persons.indices where !haveChildren.contains(person) {
      guard seen.insert(parents[person]).inserted else { continue }
      let count = ancestors(of: person).count
      if count > most?.count ?? -1 { most = (person, count) }
    }
    return most.map { persons[$0.person] }
  }
}
