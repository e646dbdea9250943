import Kinship

extension Case {
  static let peek = Case(
    "peek", summary: "uniform reads from any thread, without awaiting"
  ) { size, effort in
    let reads = UniformReads(effort.operations(1_000_000), of: size)
    let draw = reads.draw
    let locked = LockedDictionary(reads.population.dictionary())
    let cache = try await reads.population.cache()
    return Comparison(
      size: size,
      systems: [
        System("Dictionary behind a Mutex") {
          blackHole(digest(of: draw.ids.prefix(reads.warmUp), in: locked))
          let watch = Stopwatch()
          let sum = digest(of: draw.ids[...], in: locked)
          return reads.sample(watch.elapsed, sum)
        },
        System("Kinship, peek", bar: size == 100_000 ? .ratio(1.5) : nil) {
          blackHole(digest(of: draw.refs.prefix(reads.warmUp), in: cache))
          let watch = Stopwatch()
          let sum = digest(of: draw.refs[...], in: cache)
          return reads.sample(watch.elapsed, sum)
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
