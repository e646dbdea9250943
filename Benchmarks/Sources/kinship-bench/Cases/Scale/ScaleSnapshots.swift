import Kinship

// `JSONEncoder` on the whole array would need more memory than the machine has.

extension Case {
  static let scaleSave = Case(
    "snapshot-save", summary: "all records to a file that is synced; ns a record",
    sizes: \.scaleCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let raw = try RawRecordFile(in: try ScratchDirectory())
    let file = try await SnapshotFile(records)

    return Comparison(
      size: size,
      systems: [
        System("encode, write, sync", note: "No identities, no checksums, on one core.") {
          let watch = Stopwatch()
          blackHole(try raw.append(records))
          return Sample(watch.elapsed, operations: size, checks: [])
        },
        System("Kinship, compact") {
          let watch = Stopwatch()
          let report = try await file.save(.compact)
          return Sample(
            watch.elapsed, operations: size,
            checks: [Check("saved", report.records, expected: size)])
        },
      ])
  }

  static let scaleRestore = Case(
    "snapshot-restore", summary: "all records from a file into an empty cache; ns a record",
    sizes: \.scaleCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let raw = try RawRecordFile(in: try ScratchDirectory())
    blackHole(try raw.append(records))
    let file = try await SnapshotFile(records)
    try await file.save(.compact)

    return Comparison(
      size: size,
      systems: [
        System("pread and decode, into a Dictionary") {
          let decoder = raw.decoder()
          var dictionary: [Int: Person] = [:]
          let watch = Stopwatch()
          for number in 0..<size {
            let person = try raw.read(Person.self, number, by: decoder)
            dictionary[person.id] = person
          }
          return Sample(
            watch.elapsed, operations: size,
            checks: [Check("in memory", dictionary.count, expected: size)])
        },
        System("Kinship, compact") {
          let cache = try GraphCache(for: Person.self)
          let watch = Stopwatch()
          try await cache.restore(from: file.url(.compact))
          return Sample(
            watch.elapsed, operations: size,
            checks: [Check("in memory", cache.count, expected: size)])
        },
      ])
  }
}
