import Foundation
import Kinship

extension Case {
  static let update = Case(
    "update", summary: "a new value for one property of a record, uniform"
  ) { size, effort in
    let population = Population<Person>(count: size)
    let count = effort.operations(1_000_000)
    let draw = Draw<Person>.uniform(count, below: size, seed: 6)
    let dates = (0..<count).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    let lastDates = Dictionary(zip(draw.ids, dates)) { $1 }
    let expected = population.records.reduce(0) { $0 &+ seconds(lastDates[$1.id] ?? $1.birth) }
    let bar: Bar? = size == 100_000 ? .ratio(1.5) : nil

    func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("dates", sum, expected: expected)])
    }
    var byIndex = population.dictionary()
    var byKey = population.dictionary()
    let byPath = try await population.cache()
    let byClosure = try await population.cache()

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, values[index]") {
          var dictionary = byIndex
          byIndex = [:]
          defer { byIndex = dictionary }
          let watch = Stopwatch()
          for (id, date) in zip(draw.ids, dates) {
            if let index = dictionary.index(forKey: id) { dictionary.values[index].birth = date }
          }
          let elapsed = watch.elapsed
          return sample(elapsed, dictionary.values.reduce(0) { $0 &+ seconds($1.birth) })
        },
        System("Kinship, key path", bar: bar) {
          let watch = Stopwatch()
          try await byPath.perform { cache throws(KinshipError) in
            for (ref, date) in zip(draw.refs, dates) {
              try cache.update(ref, \.birth, to: date)
            }
          }
          let elapsed = watch.elapsed
          return sample(elapsed, await sumOfDates(in: byPath, population))
        },
        System("Kinship, closure", bar: bar) {
          let watch = Stopwatch()
          try await byClosure.perform { cache in
            for (ref, date) in zip(draw.refs, dates) {
              try cache.update(ref) { $0.birth = date }
            }
          }
          let elapsed = watch.elapsed
          return sample(elapsed, await sumOfDates(in: byClosure, population))
        },
        System("Dictionary, [id]?") {
          var dictionary = byKey
          byKey = [:]
          defer { byKey = dictionary }
          let watch = Stopwatch()
          for (id, date) in zip(draw.ids, dates) { dictionary[id]?.birth = date }
          let elapsed = watch.elapsed
          return sample(elapsed, dictionary.values.reduce(0) { $0 &+ seconds($1.birth) })
        },
      ])
  }

  private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSinceReferenceDate) }

  private static func sumOfDates(
    in cache: GraphCache, _ population: Population<Person>
  ) async -> Int {
    let records = await cache.records(for: population.records.map(\.ref))
    return records.reduce(0) { $0 &+ ($1.map { seconds($0.birth) } ?? 0) }
  }
}
