import Foundation
import Kinship

extension Case {
  static let refusals = Case(
    "refusals", summary: "that many writes are shown, and the store refuses all; ns a write",
    sizeName: "writes",
    sizes: { effort in effort == .full ? [125, 250, 500, 1_000] : [125] }
  ) { size, effort in
    let population = Population<Person>(count: effort.operations(10_000))
    let dictionary = population.dictionary()
    let ids = population.records.prefix(size).map(\.id)
    let expected = Edits.sum(population.records)

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, the rest re-run for each") {
          var persons = dictionary
          let watch = Stopwatch()
          for id in ids { persons[id]?.birth += 1 }
          for refused in ids.indices {
            persons = dictionary
            for id in ids[(refused + 1)...] { persons[id]?.birth += 1 }
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: size,
            checks: [Check("dates", Edits.sum(persons.values), expected: expected)])
        },
        System("Kinship, one record each") {
          let store = RefusingStore(MemoryStore(population.records))
          let cache = try GraphCache(for: Person.self, store: store)
          _ = try await cache.find(population.records.map(\.ref))
          let watch = Stopwatch()
          var writes: [GraphCache.PendingWrite] = []
          for id in ids {
            writes.append(
              try await cache.writeOptimistically { tx in
                try tx.update(Ref<Person>(id)) { $0.birth += 1 }
              })
          }
          await store.answer()
          var refused = 0
          for write in writes {
            do { _ = try await write.outcome() } catch { refused += 1 }
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: size,
            checks: [
              Check("dates", Edits.sum(await cache.current(population)), expected: expected),
              Check("refused", refused, expected: size),
            ])
        },
      ])
  }
}
