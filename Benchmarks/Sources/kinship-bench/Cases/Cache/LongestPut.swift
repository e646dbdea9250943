import Kinship

extension Case {
  static let longestPut = Case(
    "longest-put", summary: "the longest of the single puts that fill a cache; ns a put",
    sizes: \.longestPutSizes
  ) { size, _ in
    let records = Population<Person>(count: size).records
    return Comparison(
      size: size,
      systems: [
        System("Dictionary") {
          var dictionary: [Int: Person] = [:]
          var longest = Duration.zero
          for record in records {
            let watch = Stopwatch()
            dictionary[record.id] = record
            longest = max(longest, watch.elapsed)
          }
          return Sample(
            longest, operations: 1, checks: [Check("held", dictionary.count, expected: size)])
        },
        System("Kinship", note: "Includes when the thread had no turn.") {
          let cache = try GraphCache(for: Person.self)
          let longest = try await cache.perform { cache throws(KinshipError) in
            var longest = Duration.zero
            for record in records {
              let watch = Stopwatch()
              try cache.put(record)
              longest = max(longest, watch.elapsed)
            }
            return longest
          }
          return Sample(
            longest, operations: 1, checks: [Check("held", cache.count, expected: size)])
        },
      ])
  }
}

extension Effort {
  fileprivate var longestPutSizes: [Int] {
    switch self {
    case .full: [1_000_000, 3_500_000]
    case .quick: [10_000]
    }
  }
}
