import Foundation
import Kinship
import KinshipFileStore

extension Case {
  static let fileStoreAppend = Case(
    "append", summary: "10,000 records in one commit, synced; ns a record",
    sizeName: "stored before",
    sizes: \.snapshotCounts
  ) { size, _ in
    let count = 10_000
    let directory = try ScratchDirectory()
    let store = try await FileStore(
      at: directory.url.appending(path: "store"), schema: try GraphSchema(Person.self))
    try await fill(store, Population<Person>(count: size).records)
    let raw = try RawRecordFile(in: directory)
    let batch = Population<Person>(count: count).records

    return Comparison(
      size: size,
      systems: [
        System("encode, write, sync", note: "No identities, no checksums, no log.") {
          let watch = Stopwatch()
          blackHole(try raw.append(batch))
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, FileStore", bar: .ratio(3)) {
          let before = store.statistics.records
          let changes = try await insertions(batch.map { $0.numbered(from: before) })
          let watch = Stopwatch()
          try await store.apply(changes)
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: count,
            checks: [Check("stored", store.statistics.records, expected: before + count)])
        },
      ])
  }

  /// Puts records into a store, a hundred thousand a commit.
  static func fill(_ store: FileStore, _ records: [Person]) async throws {
    for batch in records.batches(of: 100_000) {
      try await store.apply(try await insertions(batch))
    }
  }

  /// Changes stored records, a hundred thousand a commit.
  static func rewrite(_ records: [Person], in store: FileStore) async throws {
    for batch in records.batches(of: 100_000) {
      let cache = try GraphCache(for: Person.self, store: store)
      try await cache.put(contentsOf: batch)
      let place = "Windsor, after \(store.statistics.commits) commits"
      try await cache.write { tx in
        for record in batch { try tx.update(record.ref, \.place, to: place) }
      }
    }
  }

  /// The changes that insert the records.
  static func insertions(_ records: [Person]) async throws -> ChangeSet {
    let cache = try GraphCache(for: Person.self)
    return try await cache.write { tx in
      for record in records { try tx.insert(record) }
    }
  }

  static let fileStoreRead = Case(
    "read", summary: "10,000 records by their ids, in random order; ns a record",
    sizeName: "stored", sizes: \.snapshotCounts
  ) { size, effort in
    let records = Population<Person>(count: size).records
    let directory = try ScratchDirectory()
    let store = try await FileStore(
      at: directory.url.appending(path: "store"), schema: try GraphSchema(Person.self))
    try await fill(store, records)
    let raw = try RawRecordFile(in: directory)
    blackHole(try raw.append(records))
    let count = effort.operations(10_000)
    var generator = SplitMix64(seed: 1)
    let ids = (0..<count).map { _ in Int.random(in: 0..<size, using: &generator) }
    let digest = ids.reduce(0) { $0 &+ records[$1].digest }

    func sample(_ elapsed: Duration, _ sum: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("digest", sum, expected: digest)])
    }
    return Comparison(
      size: size,
      systems: [
        System("pread and decode") {
          let decoder = raw.decoder()
          var sum = 0
          let watch = Stopwatch()
          for id in ids { sum &+= try raw.read(Person.self, id, by: decoder).digest }
          return sample(watch.elapsed, sum)
        },
        System("Kinship, one id each", bar: .ratio(3)) {
          var sum = 0
          let watch = Stopwatch()
          for id in ids {
            for person in try await store.fetch(Person.self, ids: [id]) { sum &+= person.digest }
          }
          return sample(watch.elapsed, sum)
        },
        System("Kinship, 100 ids each", bar: .ratio(3)) {
          var sum = 0
          let watch = Stopwatch()
          for start in stride(from: 0, to: count, by: 100) {
            // A repeated id is read once.
            let batch = Array(ids[start..<start + 100])
            let found = try await store.fetch(Person.self, ids: Array(Set(batch)))
            let persons = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
            for id in batch { sum &+= persons[id]?.digest ?? 0 }
          }
          return sample(watch.elapsed, sum)
        },
      ])
  }

  static let fileStoreOpen = Case(
    "open", summary: "opening a store that was closed; ns a record", sizeName: "stored",
    sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    // Ten million of them would not fit into memory.
    let large = (size > 1_000_000 ? [] : records).map { person in
      var person = person
      person.place = String(repeating: person.place + ", ", count: 40)
      return person
    }
    let directory = try ScratchDirectory()
    let schema = try GraphSchema(Person.self)
    let (small, wide) = ("small", "large")
    for (name, records) in [(small, records), (wide, large)] where !records.isEmpty {
      let store = try await FileStore(at: directory.url.appending(path: name), schema: schema)
      try await fill(store, records)
      try await store.close()
    }

    func opening(_ name: String) async throws -> Sample {
      let url = directory.url.appending(path: name)
      let watch = Stopwatch()
      let store = try await FileStore(at: url, schema: schema)
      let elapsed = watch.elapsed
      let held = store.statistics.records
      try await store.close()
      return Sample(elapsed, operations: size, checks: [Check("stored", held, expected: size)])
    }
    return Comparison(
      size: size,
      systems: [
        System("ids into a Dictionary", note: "The index alone, from memory.") {
          let watch = Stopwatch()
          var index: [Int: Range<Int>] = [:]
          for (position, record) in records.enumerated() {
            index[record.id] = position..<position + 1
          }
          let elapsed = watch.elapsed
          return Sample(
            elapsed, operations: size, checks: [Check("indexed", index.count, expected: size)])
        },
        System("records of about 60 bytes") { try await opening(small) },
      ] + (large.isEmpty ? [] : [System("records of about 600 bytes") { try await opening(wide) }]))
  }

  static let fileStoreCompact = Case(
    "compact", summary: "the log is compacted after a third were written again; ns a record",
    sizeName: "stored", sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let third = records.filter { $0.id.isMultiple(of: 3) }
    let directory = try ScratchDirectory()
    let store = try await FileStore(
      at: directory.url.appending(path: "store"), schema: try GraphSchema(Person.self))
    try await fill(store, records)
    let raw = try RawRecordFile(in: directory)

    return Comparison(
      size: size,
      systems: [
        System("encode, write, sync", note: "All records, to another file.") {
          let watch = Stopwatch()
          blackHole(try raw.append(records))
          return Sample(watch.elapsed, operations: size, checks: [])
        },
        System("Kinship, FileStore") {
          try await rewrite(third, in: store)
          let watch = Stopwatch()
          try await store.compact()
          return Sample(
            watch.elapsed, operations: size,
            checks: [Check("stored", store.statistics.records, expected: size)])
        },
      ])
  }
}

extension Person {
  /// The same person, with an id that comes after others.
  fileprivate func numbered(from first: Int) -> Person {
    Person(
      id: first + id, profile: Profile(number: id), father: father, mother: mother,
      children: children)
  }
}
