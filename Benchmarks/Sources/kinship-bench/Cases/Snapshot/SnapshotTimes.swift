import Foundation
import Kinship

extension Case {
  static let snapshotSave = Case(
    "save", summary: "all records to a file that is synced; ns a record",
    sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let file = try await SnapshotFile(records)

    return Comparison(
      size: size,
      systems: [
        System("JSONEncoder, whole array", note: "To memory, not to a file.") {
          let watch = Stopwatch()
          let data = try JSONEncoder().encode(records)
          let elapsed = watch.elapsed
          blackHole(data.count)
          return Sample(elapsed, operations: size, checks: [])
        },
        saving("Kinship, JSON", .json, file, bar: .ratio(1.0)),
        saving("Kinship, compact", .compact, file, bar: .ratio(0.1)),
      ])
  }

  private static func saving(
    _ name: String, _ coder: any RecordCoder, _ file: SnapshotFile, bar: Bar
  ) -> System {
    System(name, bar: bar) {
      let watch = Stopwatch()
      let report = try await file.save(coder)
      let elapsed = watch.elapsed
      return Sample(
        elapsed, operations: file.count,
        checks: [Check("saved", report.records, expected: file.count)])
    }
  }

  static let snapshotRestore = Case(
    "restore", summary: "all records from a file into an empty cache; ns a record",
    sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let data = try JSONEncoder().encode(records)
    let file = try await SnapshotFile(records)
    try await file.save(.json)
    try await file.save(.compact)

    return Comparison(
      size: size,
      systems: [
        System("JSONDecoder, whole array", note: "From memory, and into no cache.") {
          let watch = Stopwatch()
          let decoded = try JSONDecoder().decode([Person].self, from: data)
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: size, checks: [Check("decoded", decoded.count, expected: size)])
        },
        restoring("Kinship, JSON", .json, file, bar: .ratio(1.0)),
        restoring("Kinship, compact", .compact, file, bar: .ratio(1 / 7)),
      ])
  }

  private static func restoring(
    _ name: String, _ coder: any RecordCoder, _ file: SnapshotFile, bar: Bar
  ) -> System {
    System(name, bar: bar) {
      let cache = try GraphCache(for: Person.self)
      let watch = Stopwatch()
      let report = try await cache.restore(from: file.url(coder))
      let elapsed = watch.elapsed
      return Sample(
        elapsed, operations: file.count,
        checks: [
          Check("restored", report.restored, expected: file.count),
          Check("in memory", cache.count, expected: file.count),
        ])
    }
  }

  static let snapshotSize = Case(
    "size", summary: "the file; bytes a record", sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let file = try await SnapshotFile(records)
    let json = try JSONEncoder().encode(records).count

    return Comparison(
      size: size, unit: .bytes,
      systems: [
        System("JSONEncoder, whole array") {
          Sample(value: Double(json) / Double(size), checks: [])
        },
        System("Kinship, JSON") {
          Sample(value: Double(try await file.save(.json).size) / Double(size), checks: [])
        },
        System("Kinship, compact", bar: .ratio(0.5)) {
          Sample(value: Double(try await file.save(.compact).size) / Double(size), checks: [])
        },
      ])
  }
}
