import Kinship
import KinshipSQLite

/// The systems that load a pedigree of some generations.
struct PedigreeSystems {
  let generations: Int
  let root: Int
  let file: LineageFile
  let reader: RawReader
  /// Reads the same rows from a file with SQLite's default settings.
  let plainReader: RawReader
  let store: SQLiteStore
  let models: [Int: AncestorModel]
  let persons: Int
  let paths: Int
  /// The number of times that a sample loads the pedigree: more for a small one, so that reading
  /// the clock does not matter.
  let passes: Int

  init(_ lineage: Lineage, generations: Int, effort: Effort) throws {
    self.generations = generations
    root = lineage.root
    file = try LineageFile(lineage)
    reader = try RawReader(file)
    plainReader = try RawReader(LineageFile(lineage, .rollback))
    store = try file.handWrittenStore()
    models = AncestorModel.joined(lineage.records)
    (persons, paths) = lineage.extent(generations: generations)
    passes = max(1, effort.operations(20_000) / persons)
  }

  private var plan: Plan<Ancestor> { .following(\.father, \.mother, generations: generations - 1) }

  private func sample(_ elapsed: Duration, passes: Int, _ checks: Check...) -> Sample {
    Sample(elapsed, operations: passes, checks: checks)
  }

  func raw() -> System {
    reading("SQLite, a statement a generation") {
      try reader.pedigree(of: root, generations: generations).count
    }
  }

  /// A statement for each person, outside of a transaction.
  func byRows(_ journal: LineageFile.Journal) -> System {
    let reader = journal == .rollback ? plainReader : reader
    return reading("SQLite, a statement a person\(journal == .rollback ? "" : ", in WAL mode")") {
      try reader.pedigreeByRows(of: root, generations: generations).count
    }
  }

  /// A statement for each person, in one transaction.
  func byRowsAtOnce() -> System {
    reading("SQLite, a statement a person in one transaction") {
      try reader.pedigreeByRowsAtOnce(of: root, generations: generations).count
    }
  }

  private func reading(_ name: String, _ read: @escaping () throws -> Int) -> System {
    System(name) {
      var found = 0
      let watch = Stopwatch()
      for _ in 0..<passes { found += try read() }
      return sample(
        watch.elapsed, passes: passes, Check("persons", found, expected: passes * persons))
    }
  }

  func cold(bar: Bar? = nil) -> System {
    System("Kinship, cold", bar: bar) {
      var found = 0
      var elapsed = Duration.zero
      let statements = store.statistics.statementsExecuted
      for _ in 0..<passes {
        let cache = try GraphCache(for: Ancestor.self, store: store)
        let watch = Stopwatch()
        let graph = try await cache.graph(of: Ref(root), plan)
        elapsed += watch.elapsed
        found += graph.count
      }
      return sample(
        elapsed, passes: passes, Check("persons", found, expected: passes * persons),
        Check(
          "statements", store.statistics.statementsExecuted - statements,
          expected: passes * generations))
    }
  }

  func warm(bar: Bar? = nil) async throws -> System {
    let cache = try GraphCache(for: Ancestor.self, store: store)
    _ = try await cache.graph(of: Ref(root), plan)
    return System("Kinship, warm", bar: bar) {
      var found = 0
      let before = store.statistics
      let watch = Stopwatch()
      for _ in 0..<passes { found += try await cache.graph(of: Ref(root), plan).count }
      let elapsed = watch.elapsed
      return sample(
        elapsed, passes: passes, Check("persons", found, expected: passes * persons),
        Check(
          "statements", store.statistics.statementsExecuted - before.statementsExecuted, expected: 0
        ),
        Check("rows translated", store.statistics.rowsRead - before.rowsRead, expected: 0))
    }
  }

  func naive() -> System {
    translating(
      "naive translators", NaiveTranslator.self, each: paths,
      note: "The model objects are in memory; each path is translated.")
  }

  func memoizing() -> System {
    translating(
      "translators with a memo", MemoizingTranslator.self, each: persons,
      note: "The model objects are in memory.")
  }

  /// Nested translators that need so many translations for the pedigree.
  private func translating<T: NestedTranslator>(
    _ name: String, _ type: T.Type, each count: Int, note: String
  ) -> System {
    System(name, note: note) {
      let passes = max(1, self.passes * persons / count)
      var translator = T()
      let watch = Stopwatch()
      for _ in 0..<passes {
        guard let model = models[root] else { continue }
        blackHole(translator.dto(from: model, generations: generations).id)
      }
      let elapsed = watch.elapsed
      Heap.tidy()
      return sample(
        elapsed, passes: passes,
        Check("translations", translator.translations, expected: passes * count))
    }
  }
}
