import Kinship
import KinshipSQLite

extension Case {
  static let back = Case(
    "back", summary: "a changed pedigree back to where it came from, by depth; ns a pedigree",
    sizeName: "generations",
    sizes: { effort in effort == .full ? [1, 2, 4, 6, 8, 10, 12, 14] : [1, 4, 8, 12] }
  ) { generations, effort in
    let lineage = Lineage.collapsed(generations: 21, personsEach: 256)
    let (persons, paths) = lineage.extent(generations: generations)
    let file = try LineageFile(lineage)
    let reader = try RawReader(file)
    let writer = try RawWriter(file)
    let ids = try reader.pedigree(of: lineage.root, generations: generations).keys.sorted()
    let models = AncestorModel.joined(lineage.records)
    let cache = try await cache(file, ids)
    let serial = Serial()
    let passes = max(1, effort.operations(4_000) / persons)

    return Comparison(
      size: generations,
      systems: [
        System("SQLite, a statement a person in one transaction") {
          try writes(passes, ids, serial, writer)
        },
        System("Kinship, a transaction") {
          try await transactions(passes, ids, serial, cache, writer)
        },
        translating(
          "naive translators", NaiveTranslator.self, models[lineage.root], generations, effort,
          each: paths, note: "To model objects in memory; each path is translated."),
        translating(
          "translators with a memo", MemoizingTranslator.self, models[lineage.root], generations,
          effort, each: persons, note: "To model objects in memory."),
      ])
  }

  static let changes = Case(
    "changes", summary: "changed records to a database in one transaction; ns a record",
    sizeName: "changes", sizes: { _ in [100, 10_000] }
  ) { count, effort in
    let file = try LineageFile(.distinct(count: 100_000))
    let writer = try RawWriter(file)
    let ids = (1...count).map { $0 * (100_000 / count) }
    let cache = try await cache(file, ids)
    let serial = Serial()
    let passes = max(1, effort.operations(20_000) / count)
    return Comparison(
      size: count,
      systems: [
        System("SQLite, a prepared statement") {
          try writes(passes, ids, serial, writer).divided(by: count)
        },
        System("Kinship, a transaction", bar: count == 10_000 ? .ratio(1.5) : nil) {
          try await transactions(passes, ids, serial, cache, writer).divided(by: count)
        },
      ])
  }

  private struct Nobody: Error {}

  /// Nested translators that need so many translations to write it back.
  private static func translating<T: NestedTranslator>(
    _ name: String, _ type: T.Type, _ root: AncestorModel?, _ generations: Int, _ effort: Effort,
    each count: Int, note: String
  ) -> System {
    System(name, note: note) {
      guard let root else { throw Nobody() }
      let passes = max(1, effort.operations(20_000) / count)
      var there = T()
      let dto = there.dto(from: root, generations: generations)
      var back = T()
      let watch = Stopwatch()
      for _ in 0..<passes { blackHole(back.model(from: dto).id) }
      let elapsed = watch.elapsed
      Heap.tidy()
      return Sample(
        elapsed, operations: passes,
        checks: [Check("translations", back.translations, expected: passes * count)])
    }
  }

  /// Places that no record has yet, because equal values would not be written.
  private final class Serial {
    private var last = 0

    func next(_ count: Int) -> [String] {
      defer { last += count }
      return (1...count).map { "Place \(last + $0)" }
    }
  }

  /// A cache that holds records of a file.
  private static func cache(_ file: LineageFile, _ ids: [Int]) async throws -> GraphCache {
    let cache = try GraphCache(for: Ancestor.self, store: try file.handWrittenStore())
    _ = try await cache.resolve(ids.map { Ref<Ancestor>($0) })
    return cache
  }

  private static func writes(
    _ passes: Int, _ ids: [Int], _ serial: Serial, _ writer: RawWriter
  ) throws -> Sample {
    let places = serial.next(passes)
    let watch = Stopwatch()
    for place in places { try writer.write(ids, place: place) }
    return try sample(watch.elapsed, places, ids, writer)
  }

  private static func transactions(
    _ passes: Int, _ ids: [Int], _ serial: Serial, _ cache: GraphCache, _ writer: RawWriter
  ) async throws -> Sample {
    let refs = ids.map { Ref<Ancestor>($0) }
    let places = serial.next(passes)
    let watch = Stopwatch()
    for place in places {
      try await cache.write { tx in
        for ref in refs { try tx.update(ref, \.place, to: place) }
      }
    }
    return try sample(watch.elapsed, places, ids, writer)
  }

  private static func sample(
    _ elapsed: Duration, _ places: [String], _ ids: [Int], _ writer: RawWriter
  ) throws -> Sample {
    let written = try writer.count(place: places.last ?? "")
    return Sample(
      elapsed, operations: places.count,
      checks: [Check("rows written", written, expected: ids.count)])
  }
}

extension Sample {
  /// The same for each of several parts of the work.
  fileprivate func divided(by count: Int) -> Sample {
    Sample(value: value / Double(count), checks: checks)
  }
}
