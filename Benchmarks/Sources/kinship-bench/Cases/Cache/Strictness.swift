import Kinship

extension Case {
  static let strictness = Case(
    "strictness", summary: "awaited reads of records in memory by resolve, by strictness"
  ) { size, effort in
    let reads = UniformReads(effort.operations(200_000), of: size)
    let draw = reads.draw
    let bare = DictionaryActor(reads.population.dictionary())
    let off = try GraphCache(for: Person.self)
    try await off.put(contentsOf: reads.records)
    let strict = try GraphCache(for: Person.self, strictness: .report { _ in })
    try await strict.put(contentsOf: reads.records)

    func resolve(_ cache: GraphCache) async throws -> Sample {
      blackHole(try await digest(of: draw.refs.prefix(reads.warmUp), in: cache))
      let watch = Stopwatch()
      let sum = try await digest(of: draw.refs[...], in: cache)
      return reads.sample(watch.elapsed, sum)
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary in an actor") {
          var sum = 0
          let watch = Stopwatch()
          for id in draw.ids {
            if let record = await bare.record(id) { sum &+= record.digest }
          }
          return reads.sample(watch.elapsed, sum)
        },
        System("Kinship, off", bar: size == 100_000 ? .ratio(1.5) : nil) { try await resolve(off) },
        System("Kinship, strict") { try await resolve(strict) },
      ])
  }

  private static func digest(
    of refs: ArraySlice<Ref<Person>>, in cache: GraphCache
  ) async throws -> Int {
    var sum = 0
    for ref in refs { sum &+= try await cache.resolve(ref).digest }
    return sum
  }
}
