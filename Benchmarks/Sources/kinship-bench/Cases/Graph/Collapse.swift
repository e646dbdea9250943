import Kinship

extension Case {
  static let collapse = Case(
    "collapse", summary: "warm pedigrees in which ancestors recur, by depth; ns a graph",
    sizeName: "generations",
    sizes: { effort in
      switch effort {
      case .full: [1, 5, 10, 15, 20]
      case .quick: [1, 5, 10]
      }
    }
  ) { generations, effort in
    let village = Village(generations: 21, personsEach: 64)
    let records = village.records
    let roots = village.roots.prefix(8)
    let plan = Plan<Person>.following(\.father, \.mother, generations: generations)
    let dictionary = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    let objects = PersonObject.joined(records)
    let rootObjects = roots.compactMap { objects[$0.id] }
    let cache = try GraphCache(for: Person.self)
    try await cache.put(contentsOf: records)
    let passes = max(10, 200 >> generations)
    let persons =
      passes
      * roots.reduce(0) {
        $0 + dictionary.ancestors(of: $1.id, generations: generations).count
      }

    func sample(_ elapsed: Duration, persons found: Int) -> Sample {
      Sample(
        elapsed, operations: passes * roots.count,
        checks: [Check("persons", found, expected: persons)])
    }
    return Comparison(
      size: generations,
      systems: [
        System("Dictionary, breadth first") {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<passes {
            for root in roots {
              found += dictionary.ancestors(of: root.id, generations: generations).count
            }
          }
          return sample(watch.elapsed, persons: found)
        },
        System("Kinship, graph") {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<passes {
            for root in roots { found += try await cache.graph(of: root, plan).count }
          }
          return sample(watch.elapsed, persons: found)
        },
        System("class instances, breadth first") {
          var found = 0
          let watch = Stopwatch()
          for _ in 0..<passes {
            for root in rootObjects { found += root.ancestors(generations: generations).count }
          }
          return sample(watch.elapsed, persons: found)
        },
        System(
          "class instances, each path",
          note: "does not do the work: meets a person as often as there are paths to them"
        ) {
          var paths = 0
          let watch = Stopwatch()
          for root in rootObjects { paths += root.paths(generations: generations) }
          return Sample(
            watch.elapsed, operations: roots.count,
            checks: [Check("paths", paths, expected: roots.count * (2 << generations - 1))])
        },
      ])
  }
}

extension PersonObject {
  /// The number of paths of at most `generations` steps to ancestors, with the empty one.
  fileprivate func paths(generations: Int) -> Int {
    guard generations > 0 else { return 1 }
    return 1 + (father?.paths(generations: generations - 1) ?? 0)
      + (mother?.paths(generations: generations - 1) ?? 0)
  }
}
