import Kinship

extension Case {
  static let pedigree = Case(
    "pedigree",
    summary: "a warm pedigree of ten generations, 1,023 persons, as a value; ns a graph",
    sizes: pedigreeSizes
  ) { size, effort in
    let pedigrees = Pedigrees(size: size)
    let records = pedigrees.population.records
    let steps = pedigrees.generations - 1
    let plan = pedigrees.plan
    let dictionary = pedigrees.population.dictionary()
    let objects = PersonObject.joined(records)
    // Small pedigrees are loaded several times over, so that the clock has something to measure.
    let roots = repeatElement(pedigrees.roots, count: max(1, 200_000 / size)).flatMap { $0 }
    let rootObjects = roots.compactMap { objects[$0.id] }
    let cache = try await pedigrees.population.cache()
    let persons = pedigrees.personsEach * roots.count
    let digest = roots.flatMap { dictionary.ancestors(of: $0.id, generations: steps) }
      .reduce(0) { $0 &+ $1.digest }

    func sample(_ elapsed: Duration, persons found: Int, digest sum: Int) -> Sample {
      Sample(
        elapsed, operations: roots.count,
        checks: [
          Check("persons", found, expected: persons), Check("digest", sum, expected: digest),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary, breadth first") {
          let watch = Stopwatch()
          let found = roots.map { dictionary.ancestors(of: $0.id, generations: steps) }
          let elapsed = watch.elapsed
          return sample(
            elapsed, persons: found.reduce(0) { $0 + $1.count },
            digest: found.joined().reduce(0) { $0 &+ $1.digest })
        },
        System("Kinship, graph", bar: size == 100_000 ? .ratio(1.5) : nil) {
          var graphs: [Graph<Person>] = []
          let watch = Stopwatch()
          for root in roots { graphs.append(try await cache.graph(of: root, plan)) }
          let elapsed = watch.elapsed
          return sample(
            elapsed, persons: graphs.reduce(0) { $0 + $1.count },
            digest: graphs.flatMap { $0.records(of: Person.self) }.reduce(0) { $0 &+ $1.digest })
        },
        System("class instances, breadth first") {
          let watch = Stopwatch()
          let found = rootObjects.map { $0.ancestors(generations: steps) }
          let elapsed = watch.elapsed
          return sample(
            elapsed, persons: found.reduce(0) { $0 + $1.count },
            digest: found.joined().reduce(0) { $0 &+ records[$1.id].digest })
        },
      ])
  }

  static let pedigreeSizes: @Sendable (Effort) -> [Int] = { effort in
    effort.recordCounts.filter { $0 >= 10_000 }
  }
}
