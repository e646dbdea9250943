import Foundation
import Kinship

extension Case {
  static let numberScan = scan(
    "scan-numbers", summary: "how many records have two numbers within bounds; ns a record",
    bar: 0.3, predicate: #Predicate<Track> { $0.milliseconds > 300_000 && $0.bytes < 2_000_000 },
    sql: "milliseconds > 300000 AND bytes < 2000000"
  ) {
    $0.milliseconds > 300_000 && $0.bytes < 2_000_000
  } loop: { records in
    var count = 0
    for index in records.indices
    where records[index].milliseconds > 300_000 && records[index].bytes < 2_000_000 {
      count += 1
    }
    return count
  }

  static let textScan = scan(
    "scan-text", summary: "how many records have a text, and a number beyond a bound; ns a record",
    bar: 0.5,
    predicate: #Predicate<Track> { $0.composer == "Composer 7" && $0.milliseconds > 300_000 },
    sql: "composer = 'Composer 7' AND milliseconds > 300000"
  ) {
    $0.composer == "Composer 7" && $0.milliseconds > 300_000
  } loop: { records in
    var count = 0
    for index in records.indices
    where records[index].composer == "Composer 7" && records[index].milliseconds > 300_000 {
      count += 1
    }
    return count
  }

  private static func scan(
    _ name: String, summary: String, bar: Double, predicate: Predicate<Track>, sql: String,
    _ isIncluded: @escaping @Sendable (Track) -> Bool, loop: @escaping @Sendable ([Track]) -> Int
  ) -> Case {
    Case(name, summary: summary, sizes: \.scanSizes) { size, _ in
      let records = (0..<size).map { Track(number: $0 &* 31 % size) }
      let expected = records.count(where: isIncluded)
      let cache = try GraphCache(for: Track.self)
      try await cache.put(contentsOf: records)
      let database = try TrackDatabase(records, counting: sql)

      func sample(_ elapsed: Duration, _ count: Int) -> Sample {
        Sample(
          elapsed, operations: size, checks: [Check("found", count, expected: expected)])
      }
      return Comparison(
        size: size,
        systems: [
          System("Array, a closure") {
            let watch = Stopwatch()
            var count = 0
            for record in records where isIncluded(record) { count += 1 }
            return sample(watch.elapsed, count)
          },
          System("Kinship, #Predicate", bar: .ratio(bar)) {
            let watch = Stopwatch()
            let count = try await cache.find(RecordQuery(predicate).count)
            return sample(watch.elapsed, count)
          },
          System("Kinship, a closure") {
            let watch = Stopwatch()
            let count = try await cache.find(RecordQuery(RecordFilter(isIncluded)).count)
            return sample(watch.elapsed, count)
          },
          System("Array, a loop of its own") {
            let watch = Stopwatch()
            let count = loop(records)
            return sample(watch.elapsed, count)
          },
          System("SQLite in memory") {
            let watch = Stopwatch()
            let count = try database.count()
            return sample(watch.elapsed, count)
          },
          System("Array, Foundation's evaluate") {
            let watch = Stopwatch()
            var count = 0
            for record in records where try predicate.evaluate(record) { count += 1 }
            return sample(watch.elapsed, count)
          },
        ])
    }
  }
}

extension Effort {
  fileprivate var scanSizes: [Int] {
    switch self {
    case .full: [100_000, 1_000_000]
    case .quick: [10_000]
    }
  }
}
