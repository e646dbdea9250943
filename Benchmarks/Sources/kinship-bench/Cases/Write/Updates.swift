import Foundation
import Kinship

extension Case {
  static let updates = Case(
    "updates", summary: "a new value for one property of that many records at once; ns an update",
    sizeName: "updates",
    sizes: { effort in effort == .full ? [1, 100, 10_000] : [1, 100, 1_000] }
  ) { size, effort in
    let population = Population<Person>(count: effort.operations(100_000))
    let batches = max(1, effort.operations(100_000) / size)
    return try await comparison(
      of: Edits(population, batches: batches, each: size, seed: 11), on: population, size: size,
      bar: size == 10_000 ? .ratio(4) : nil)
  }

  static let held = Case(
    "held", summary: "100 updates at once, of as many records as are held; ns an update"
  ) { size, effort in
    let population = Population<Person>(count: size)
    return try await comparison(
      of: Edits(population, batches: effort.operations(1_000), each: 100, seed: 12),
      on: population, size: size, bar: size == 1_000_000 ? .ratio(4) : nil)
  }

  private static func comparison(
    of edits: Edits, on population: Population<Person>, size: Int, bar: Bar?
  ) async throws -> Comparison {
    var dictionary = population.dictionary()
    var logged = population.dictionary()
    let store = MemoryStore(population.records)
    let stored = try GraphCache(
      for: Person.self, store: store, capacity: population.records.count)
    try await stored.put(contentsOf: population.records)

    return Comparison(
      size: size,
      systems: [
        System("Dictionary, [id]?") {
          var persons = dictionary
          dictionary = [:]
          defer { dictionary = persons }
          let watch = Stopwatch()
          for batch in edits.batches {
            for edit in batch { persons[edit.ref.id]?.birth = edit.date }
          }
          return Sample(watch.elapsed, edits, persons.values)
        },
        transactions(
          "Kinship, key path", of: edits, on: population, in: try await population.cache(), bar: bar
        ) { tx, edit in try tx.update(edit.ref, \.birth, to: edit.date) },
        transactions(
          "Kinship, closure", of: edits, on: population, in: try await population.cache()
        ) { tx, edit in try tx.update(edit.ref) { $0.birth = edit.date } },
        transactions(
          "Kinship, over a store", of: edits, on: population, in: stored,
          note: "A MemoryStore makes the same changes before they are seen."
        ) { tx, edit in try tx.update(edit.ref, \.birth, to: edit.date) },
        System("Dictionary, with a log", note: "Keeps each old record, to take a batch back.") {
          var persons = logged
          logged = [:]
          defer { logged = persons }
          let watch = Stopwatch()
          for batch in edits.batches {
            var log: [Person] = []
            log.reserveCapacity(batch.count)
            for edit in batch {
              guard let index = persons.index(forKey: edit.ref.id) else { continue }
              log.append(persons.values[index])
              persons.values[index].birth = edit.date
            }
            blackHole(log.count)
          }
          return Sample(watch.elapsed, edits, persons.values)
        },
        try inSQLite(edits, on: population),
      ])
  }

  /// A transaction for each batch of a database in memory, by prepared statements.
  private static func inSQLite(
    _ edits: Edits, on population: Population<Person>
  ) throws -> System {
    let database = try RawDatabase(path: ":memory:")
    try database.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, birth REAL)")
    try database.insert(population.records, by: "INSERT INTO person VALUES (?, ?, ?)") {
      $0.bind($1.id, at: 1)
      $0.bind($1.name, at: 2)
      $0.bind($1.birth.timeIntervalSinceReferenceDate, at: 3)
    }
    let begin = try database.prepare("BEGIN")
    let commit = try database.prepare("COMMIT")
    let update = try database.prepare("UPDATE person SET birth = ? WHERE id = ?")
    let sum = try database.prepare("SELECT sum(CAST(birth AS INTEGER)) FROM person")
    return System("SQLite in memory") {
      let watch = Stopwatch()
      for batch in edits.batches {
        _ = try begin.step()
        begin.reset()
        for edit in batch {
          update.bind(edit.date.timeIntervalSinceReferenceDate, at: 1)
          update.bind(edit.ref.id, at: 2)
          _ = try update.step()
          update.reset()
        }
        _ = try commit.step()
        commit.reset()
      }
      let elapsed = watch.elapsed
      defer { sum.reset() }
      _ = try sum.step()
      return Sample(
        elapsed, operations: edits.count,
        checks: [Check("dates", sum.int(0), expected: edits.expectedSum)])
    }
  }

  /// A transaction for each batch.
  private static func transactions(
    _ name: String, of edits: Edits, on population: Population<Person>, in cache: GraphCache,
    bar: Bar? = nil, note: String? = nil,
    update: @escaping @Sendable (inout GraphCache.Transaction, Edits.Edit) throws -> Void
  ) -> System {
    System(name, bar: bar, note: note) {
      var changed = 0
      let watch = Stopwatch()
      for batch in edits.batches {
        changed += try await cache.write { tx in
          for edit in batch { try update(&tx, edit) }
        }.count
      }
      let elapsed = watch.elapsed
      return Sample(
        elapsed, edits, await cache.current(population),
        Check("changed", changed, expected: edits.changedCount))
    }
  }
}

extension Sample {
  fileprivate init(
    _ elapsed: Duration, _ edits: Edits, _ persons: some Sequence<Person>, _ checks: Check...
  ) {
    self.init(
      elapsed, operations: edits.count,
      checks: [Check("dates", Edits.sum(persons), expected: edits.expectedSum)] + checks)
  }
}
