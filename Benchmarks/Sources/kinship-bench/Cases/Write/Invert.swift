import Kinship

extension Case {
  static let invert = Case(
    "invert", summary: "that many updates of one transaction, taken back; ns an update",
    sizeName: "updates",
    sizes: { effort in effort == .full ? [10_000] : [1_000] }
  ) { size, effort in
    let population = Population<Person>(count: effort.operations(100_000))
    let edits = Edits(population, batches: 1, each: size, seed: 14)
    let expected = Edits.sum(population.records)
    let cache = try await population.cache()
    var dictionary = population.dictionary()

    func sample(_ elapsed: Duration, _ persons: some Sequence<Person>, changed: Int) -> Sample {
      Sample(
        elapsed, operations: size,
        checks: [
          Check("dates", Edits.sum(persons), expected: expected),
          Check("changed", changed, expected: edits.changedCount),
        ])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary, old records put back") {
          var persons = dictionary
          dictionary = [:]
          defer { dictionary = persons }
          var log: [Int: Person] = [:]
          for edit in edits.batches.joined() {
            guard let index = persons.index(forKey: edit.ref.id) else { continue }
            if log[edit.ref.id] == nil { log[edit.ref.id] = persons.values[index] }
            persons.values[index].birth = edit.date
          }
          let watch = Stopwatch()
          for (id, person) in log { persons[id] = person }
          return sample(watch.elapsed, persons.values, changed: log.count)
        },
        System("Kinship, inverse made and applied") {
          let changes = try await update(cache, edits)
          let watch = Stopwatch()
          let inverse = try changes.inverted
          let back = try await cache.write { try $0.apply(inverse) }
          let elapsed = watch.elapsed
          return sample(elapsed, await cache.current(population), changed: back.count)
        },
        System("Kinship, inverse made") {
          let changes = try await update(cache, edits)
          let watch = Stopwatch()
          let inverse = try changes.inverted
          let elapsed = watch.elapsed
          let back = try await cache.write { try $0.apply(inverse) }
          return sample(elapsed, await cache.current(population), changed: back.count)
        },
      ])
  }

  private static func update(_ cache: GraphCache, _ edits: Edits) async throws -> ChangeSet {
    try await cache.write { tx in
      for edit in edits.batches.joined() { try tx.update(edit.ref, \.birth, to: edit.date) }
    }
  }
}
