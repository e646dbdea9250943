import Kinship

extension Case {
  static let hits = Case(
    "hits", summary: "uniform reads of two properties of records that are held"
  ) { size, effort in
    try await uniformReads(
      of: Person.self, by: GlancingReader.self, size: size, effort: effort,
      glanceBar: bar(at: size))
  }

  static let ownedHits = Case(
    "hits-owned", summary: "the same by a reader who takes each whole record over"
  ) { size, effort in
    try await uniformReads(
      of: Person.self, by: OwningReader.self, size: size, effort: effort,
      copyBar: bar(at: size))
  }

  static let textHits = Case(
    "hits-text", summary: "uniform reads of two properties, with ids that are strings"
  ) { size, effort in
    try await uniformReads(
      of: TextPerson.self, by: GlancingReader.self, size: size, effort: effort)
  }

  private static func bar(at size: Int) -> Bar? {
    switch size {
    case 100_000: .ratio(1.5)
    case 1_000_000: .ratio(1.8)
    default: nil
    }
  }

  /// Reads in one isolated call, or in batches of 1,000 with a call each.
  ///
  /// The bars are for the systems that read in the way that suits the reader: in place for a
  /// glance, and by copies for a reader that keeps the records.
  private static func uniformReads<Member: PersonRecord, Using: Reader>(
    of type: Member.Type, by reader: Using.Type, size: Int, effort: Effort,
    copyBar: Bar? = nil, glanceBar: Bar? = nil
  ) async throws -> Comparison {
    let population = Population<Member>(count: size)
    let records = population.records
    let count = effort.operations(1_000_000)
    let warmUp = Draw<Member>.uniform(count / 10, below: size, seed: 2)
    let draw = Draw<Member>.uniform(count, below: size, seed: 3)
    let batches = draw.refs.batches(of: 1_000)
    let expected = draw.numbers.reduce(0) { $0 &+ records[$1].digest }

    let dictionary = population.dictionary()
    let cache = try await population.cache()

    func sample(_ elapsed: Duration, _ sum: Int, _ checks: Check...) -> Sample {
      Sample(
        elapsed, operations: count, checks: [Check("digest", sum, expected: expected)] + checks)
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary") {
          blackHole(digest(of: warmUp.ids, in: dictionary, reader))
          let watch = Stopwatch()
          let sum = digest(of: draw.ids, in: dictionary, reader)
          return sample(watch.elapsed, sum)
        },
        System("Kinship, cache[ref]", bar: copyBar) {
          blackHole(await cache.perform { digest(of: warmUp.refs, in: $0, reader) })
          let hits = cache.statistics.hits
          let watch = Stopwatch()
          let sum = await cache.perform { digest(of: draw.refs, in: $0, reader) }
          let elapsed = watch.elapsed
          return sample(
            elapsed, sum, Check("hits", cache.statistics.hits - hits, expected: count))
        },
        System("Kinship, read", bar: glanceBar) {
          blackHole(await cache.perform { digestInPlace(of: warmUp.refs, in: $0, reader) })
          let hits = cache.statistics.hits
          let watch = Stopwatch()
          let sum = await cache.perform { digestInPlace(of: draw.refs, in: $0, reader) }
          let elapsed = watch.elapsed
          return sample(
            elapsed, sum, Check("hits", cache.statistics.hits - hits, expected: count))
        },
        System("Kinship, records(for:)", bar: copyBar) {
          blackHole(await cache.perform { digest(of: warmUp.refs, in: $0, reader) })
          let hits = cache.statistics.hits
          let watch = Stopwatch()
          var sum = 0
          for batch in batches {
            for case let record? in await cache.records(for: batch) {
              sum &+= reader.digest(of: record)
            }
          }
          let elapsed = watch.elapsed
          return sample(
            elapsed, sum, Check("hits", cache.statistics.hits - hits, expected: count))
        },
        System("Kinship, reduce", bar: glanceBar) {
          blackHole(await cache.perform { digest(of: warmUp.refs, in: $0, reader) })
          let hits = cache.statistics.hits
          let watch = Stopwatch()
          var sum = 0
          for batch in batches {
            sum = await cache.reduce(batch, into: sum) { $0 &+= reader.digest(of: $1) }
          }
          let elapsed = watch.elapsed
          return sample(
            elapsed, sum, Check("hits", cache.statistics.hits - hits, expected: count))
        },
      ])
  }

  private static func digest<Member: PersonRecord, Using: Reader>(
    of ids: [Member.ID], in dictionary: [Member.ID: Member], _ reader: Using.Type
  ) -> Int {
    var sum = 0
    for id in ids {
      if let record = dictionary[id] { sum &+= reader.digest(of: record) }
    }
    return sum
  }

  private static func digest<Member: PersonRecord, Using: Reader>(
    of refs: [Ref<Member>], in cache: isolated GraphCache, _ reader: Using.Type
  ) -> Int {
    var sum = 0
    for ref in refs {
      if let record = cache[ref] { sum &+= reader.digest(of: record) }
    }
    return sum
  }

  private static func digestInPlace<Member: PersonRecord, Using: Reader>(
    of refs: [Ref<Member>], in cache: isolated GraphCache, _ reader: Using.Type
  ) -> Int {
    var sum = 0
    for ref in refs {
      if let digest = cache.read(ref, { reader.digest(of: $0) }) { sum &+= digest }
    }
    return sum
  }
}
