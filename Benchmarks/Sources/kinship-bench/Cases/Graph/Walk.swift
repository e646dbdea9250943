import Kinship

extension Case {
  static let walk = Case(
    "walk", summary: "father and mother of each person of that pedigree in turn; ns a person",
    sizes: pedigreeSizes
  ) { size, effort in
    let pedigrees = Pedigrees(size: size)
    let steps = pedigrees.generations - 1
    let dictionary = pedigrees.population.dictionary()
    // Objects that were created one after another are adjacent in memory, as a graph's records are;
    // the objects of a whole population, created in the order of ids, are scattered.
    let scattered = PersonObject.joined(pedigrees.population.records)
    let scatteredRoots = pedigrees.roots.compactMap { scattered[$0.id] }
    let roots = pedigrees.roots.compactMap {
      PersonObject.joined(dictionary.ancestors(of: $0.id, generations: steps))[$0.id]
    }
    let cache = try await pedigrees.population.cache()
    var loaded: [Graph<Person>] = []
    for root in pedigrees.roots {
      loaded.append(try await cache.graph(of: root, pedigrees.plan))
    }
    let graphs = loaded

    let passes = effort.operations(10)
    let count = passes * pedigrees.personsEach * pedigrees.roots.count
    let expected =
      pedigrees.roots.flatMap { dictionary.ancestors(of: $0.id, generations: steps) }
      .reduce(0) { $0 &+ $1.id } &* passes

    func sample(_ sumOfPass: () -> Int) -> Sample {
      let watch = Stopwatch()
      var sum = 0
      for _ in 0..<passes { sum &+= sumOfPass() }
      let elapsed = watch.elapsed
      return Sample(elapsed, operations: count, checks: [Check("ids", sum, expected: expected)])
    }
    return Comparison(
      size: size,
      systems: [
        System("class instances") {
          sample { roots.reduce(0) { $0 &+ $1.sumOfIDs(generations: steps) } }
        },
        System("Kinship, nodes of a graph", bar: size == 100_000 ? .ratio(3) : nil) {
          sample { graphs.reduce(0) { $0 &+ $1.root.sumOfIDs(generations: steps) } }
        },
        System("class instances, scattered") {
          sample { scatteredRoots.reduce(0) { $0 &+ $1.sumOfIDs(generations: steps) } }
        },
        System("Dictionary") {
          sample {
            pedigrees.roots.reduce(0) { $0 &+ dictionary.sumOfIDs(from: $1, generations: steps) }
          }
        },
      ])
  }
}

extension PersonObject {
  fileprivate func sumOfIDs(generations: Int) -> Int {
    var sum = id
    guard generations > 0 else { return sum }
    if let father { sum &+= father.sumOfIDs(generations: generations - 1) }
    if let mother { sum &+= mother.sumOfIDs(generations: generations - 1) }
    return sum
  }
}

extension Node<Person> {
  fileprivate func sumOfIDs(generations: Int) -> Int {
    var sum = self.id
    guard generations > 0 else { return sum }
    if let father = self.father { sum &+= father.sumOfIDs(generations: generations - 1) }
    if let mother = self.mother { sum &+= mother.sumOfIDs(generations: generations - 1) }
    return sum
  }
}

extension [Int: Person] {
  fileprivate func sumOfIDs(from ref: Ref<Person>, generations: Int) -> Int {
    guard let person = self[ref.id] else { return 0 }
    var sum = person.id
    guard generations > 0 else { return sum }
    if let father = person.father {
      sum &+= sumOfIDs(from: father, generations: generations - 1)
    }
    if let mother = person.mother {
      sum &+= sumOfIDs(from: mother, generations: generations - 1)
    }
    return sum
  }
}
