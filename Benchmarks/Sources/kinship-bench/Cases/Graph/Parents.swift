import Kinship

extension Case {
  static let parents = Case(
    "parents", summary: "a warm graph of a person and the parents, uniform; ns a graph"
  ) { size, effort in
    let population = Population<Person>(count: size)
    let records = population.records
    let count = effort.operations(50_000)
    let draw = Draw<Person>.uniform(count, below: size, seed: 8)
    let batches = draw.refs.batches(of: 100)
    let plan = Plan<Person>.following(\.father, \.mother, generations: 1)
    let dictionary = population.dictionary()
    let cache = try await population.cache()
    let persons = draw.ids.reduce(0) {
      $0 + dictionary.ancestors(of: $1, generations: 1).count
    }

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, breadth first") {
          var found = 0
          let watch = Stopwatch()
          for id in draw.ids { found += dictionary.ancestors(of: id, generations: 1).count }
          return Sample(
            watch.elapsed, operations: count, checks: [Check("persons", found, expected: persons)])
        },
        System("Kinship, graph") {
          var found = 0
          let watch = Stopwatch()
          for ref in draw.refs { found += try await cache.graph(of: ref, plan).count }
          return Sample(
            watch.elapsed, operations: count, checks: [Check("persons", found, expected: persons)])
        },
        System("Kinship, graphs of 100 at once") {
          var found = 0
          let watch = Stopwatch()
          for refs in batches {
            for graph in try await cache.find(refs.graphs(plan)) { found += graph?.count ?? 0 }
          }
          return Sample(
            watch.elapsed, operations: count, checks: [Check("persons", found, expected: persons)])
        },
      ])
  }
}
