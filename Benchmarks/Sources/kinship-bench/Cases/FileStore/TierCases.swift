import Foundation
import Kinship
import KinshipTiers
import KinshipFileStore

extension Case {
  static let tierRead = tierRead(
    "tiers", summary: "10,000 records by copies of them, 100 ids each; ns a record", batch: 100)

  static let tierReadSingle = tierRead(
    "tiers-single", summary: "10,000 records by copies of them, one id each; ns a record", batch: 1)

  private static func tierRead(_ name: String, summary: String, batch: Int) -> Case {
    Case(name, summary: summary, sizeName: "stored", sizes: \.snapshotCounts) { size, effort in
      let records = Population<Person>(count: size).records
      let directory = try ScratchDirectory()
      let schema = try GraphSchema(Person.self)
      let far = MemoryStore()
      let near = try await FileStore(
        at: directory.url.appending(path: "near"), schema: TieredStore.nearSchema(of: schema),
        durability: .system)
      let tiers = TieredStore(
        near: near, far: far, schema: schema,
        policy: TierPolicy(freshness: .seconds(86_400), count: .max, bytes: .max))
      for some in records.batches(of: 100_000) { try await tiers.apply(try await insertions(some)) }
      let count = effort.operations(10_000)
      var generator = SplitMix64(seed: 1)
      let ids = (0..<count).map { _ in Int.random(in: 0..<size, using: &generator) }
      let batches = ids.batches(of: batch).map { Array(Set($0)) }
      let total = batches.reduce(0) { $0 + $1.count }
      let digest = batches.joined().reduce(0) { $0 &+ records[$1].digest }

      func read(_ store: some BackingStore) async throws -> Sample {
        var sum = 0
        let watch = Stopwatch()
        for batch in batches {
          for person in try await store.fetch(Person.self, ids: batch) { sum &+= person.digest }
        }
        return Sample(
          watch.elapsed, operations: total, checks: [Check("digest", sum, expected: digest)])
      }
      return Comparison(
        size: size,
        systems: [
          System("FileStore alone") { try await read(near) },
          System("TieredStore before it", bar: .ratio(1.3)) {
            let served = tiers.statistics.servedFresh
            let sample = try await read(tiers)
            let now = tiers.statistics.servedFresh - served
            return Sample(
              value: sample.value,
              checks: sample.checks + [Check("copies", now, expected: total)])
          },
        ])
    }
  }
}
