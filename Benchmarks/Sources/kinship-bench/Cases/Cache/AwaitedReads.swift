import Kinship

extension Case {
  static let awaitedReads = Case(
    "await", summary: "uniform reads with one await each, in a background task"
  ) { size, effort in
    let reads = UniformReads(effort.operations(1_000_000), of: size)
    let draw = reads.draw
    let bare = DictionaryActor(reads.population.dictionary())
    let cache = try await reads.population.cache()
    return Comparison(
      size: size,
      systems: [
        System("Dictionary in an actor") {
          blackHole(await digest(of: draw.ids.prefix(reads.warmUp), in: bare))
          let watch = Stopwatch()
          let sum = await digest(of: draw.ids[...], in: bare)
          return reads.sample(watch.elapsed, sum)
        },
        System("Kinship", bar: size == 100_000 ? .ratio(1.5) : nil) {
          blackHole(await digest(of: draw.refs.prefix(reads.warmUp), in: cache))
          let watch = Stopwatch()
          let sum = await digest(of: draw.refs[...], in: cache)
          return reads.sample(watch.elapsed, sum)
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
