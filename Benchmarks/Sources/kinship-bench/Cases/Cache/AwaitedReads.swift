import Kinship

extension Case {
  static let awaitedReads = Case(
    "await", summary: "uniform reads with one await each, in a background task"
  ) { size, effort in
    let population = Population<Person>(count: size)
    let records = population.records
    let count = effort.operations(1_000_000)
    let draw = Draw<Person>.uniform(count, below: size, seed: 3)
    let expected = draw.numbers.reduce(0) { $0 &+ records[$1].digest }
    let bare = DictionaryActor(population.dictionary())
    let cache = try await population.cache()

    func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("digest", sum, expected: expected)])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary in an actor") {
          blackHole(await digest(of: draw.ids.prefix(count / 10), in: bare))
          let watch = Stopwatch()
          let sum = await digest(of: draw.ids[...], in: bare)
          return sample(watch.elapsed, sum)
        },
        System("Kinship", bar: size == 100_000 ? .ratio(1.5) : nil) {
          blackHole(await digest(of: draw.refs.prefix(count / 10), in: cache))
          let watch = Stopwatch()
          let sum = await digest(of: draw.refs[...], in: cache)
          return sample(watch.elapsed, sum)
        },
      ])
  }

  private static func digest(
    of ids: ArraySlice<Int>, in bare: DictionaryActor<Person>
  ) async -> Int {
    var sum = 0
    for id in ids {
      if let record = await bare.record(id) { sum &+= record.digest }
    }
    return sum
  }

  private static func digest(
    of refs: ArraySlice<Ref<Person>>, in cache: GraphCache
  ) async -> Int {
    var sum = 0
    for ref in refs {
      if let record = await cache[ref] { sum &+= record.digest }
    }
    return sum
  }
}
