import Kinship

extension Case {
  static let peek = Case(
    "peek", summary: "uniform reads from any thread, without awaiting"
  ) { size, effort in
    let population = Population<Person>(count: size)
    let records = population.records
    let count = effort.operations(1_000_000)
    let draw = Draw<Person>.uniform(count, below: size, seed: 3)
    let expected = draw.numbers.reduce(0) { $0 &+ records[$1].digest }
    let locked = LockedDictionary(population.dictionary())
    let cache = try await population.cache()

    func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("digest", sum, expected: expected)])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary behind a Mutex") {
          blackHole(digest(of: draw.ids.prefix(count / 10), in: locked))
          let watch = Stopwatch()
          let sum = digest(of: draw.ids[...], in: locked)
          return sample(watch.elapsed, sum)
        },
        System("Kinship, peek", bar: size == 100_000 ? .ratio(1.5) : nil) {
          blackHole(digest(of: draw.refs.prefix(count / 10), in: cache))
          let watch = Stopwatch()
          let sum = digest(of: draw.refs[...], in: cache)
          return sample(watch.elapsed, sum)
        },
      ])
  }

  private static func digest(
    of ids: ArraySlice<Int>, in dictionary: LockedDictionary<Person>
  ) -> Int {
    var sum = 0
    for id in ids {
      if let record = dictionary.record(id) { sum &+= record.digest }
    }
    return sum
  }

  private static func digest(of refs: ArraySlice<Ref<Person>>, in cache: GraphCache) -> Int {
    var sum = 0
    for ref in refs {
      if let record = cache.peek(ref) { sum &+= record.digest }
    }
    return sum
  }
}
