import Foundation
import Kinship
import KinshipFileStore
import KinshipTiers

extension Case {
  static let backups = Case(
    "backup", summary: "a backup of a store while it is open, synced; ns a record stored",
    sizeName: "stored", sizes: \.snapshotCounts
  ) { size, _ in
    let records = Population<Person>(count: size).records
    let directory = try ScratchDirectory()
    let url = directory.url.appending(path: "store")
    let store = try await FileStore(at: url, schema: try GraphSchema(Person.self))
    try await fill(store, records)
    let last = directory.url.appending(path: "last")
    _ = try await store.backup(to: last)
    let some = records.filter { $0.id.isMultiple(of: 100) }

    func backUp(to copy: URL) async throws -> Sample {
      let watch = Stopwatch()
      let backup = try await store.backup(to: copy)
      let elapsed = watch.elapsed
      let reader = try await FileStore(
        readingFrom: copy, schema: try GraphSchema(Person.self))
      return Sample(
        elapsed, operations: size,
        checks: [Check("in the backup", reader.statistics.records, expected: size)],
        facts: [Fact("bytes copied a record", Double(backup.copiedBytes) / Double(size))])
    }
    return Comparison(
      size: size,
      systems: [
        System("FileManager, and sync", note: "The log alone, of a store at rest.") {
          let copy = directory.url.appending(path: UUID().uuidString)
          defer { try? FileManager.default.removeItem(at: copy) }
          let watch = Stopwatch()
          try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
          for file in try files(in: url) where file.pathExtension == "kinlog" {
            try FileManager.default.copyItem(
              at: file, to: copy.appending(path: file.lastPathComponent))
          }
          for file in try files(in: copy) + [copy] { try synchronize(file) }
          return Sample(watch.elapsed, operations: size, checks: [])
        },
        System("Kinship, the first backup", bar: .ratio(2)) {
          let copy = directory.url.appending(path: UUID().uuidString)
          defer { try? FileManager.default.removeItem(at: copy) }
          return try await backUp(to: copy)
        },
        System("Kinship, the next one", bar: .ratio(1), note: "A hundredth was written again.") {
          try await rewrite(some, in: store)
          return try await backUp(to: last)
        },
      ])
  }

  private static func files(in directory: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
  }

  /// Waits until a file or a directory is on the disk.
  private static func synchronize(_ url: URL) throws {
    let descriptor = open(url.path(percentEncoded: false), O_RDONLY)
    defer { close(descriptor) }
    guard descriptor >= 0, fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
  }

  static let copies = copies("copy", summary: "to a MemoryStore") { _ in MemoryStore() }

  static let copiesToFiles = copies("copy-files", summary: "to another FileStore, synced") { url in
    try await FileStore(at: url, schema: try GraphSchema(Person.self))
  }

  private static func copies(
    _ name: String, summary: String,
    _ destination: @escaping @Sendable (URL) async throws -> any BackingStore
  ) -> Case {
    Case(
      name, summary: "a FileStore is copied \(summary), 1,000 records at a time; ns a record",
      sizeName: "stored", sizes: { [$0.operations(100_000)] }
    ) { size, _ in
      let directory = try ScratchDirectory()
      let store = try await FileStore(
        at: directory.url.appending(path: "store"), schema: try GraphSchema(Person.self))
      try await fill(store, Population<Person>(count: size).records)

      func measure(_ copy: (any BackingStore) async throws -> Void) async throws -> Sample {
        let url = directory.url.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        let other = try await destination(url)
        let watch = Stopwatch()
        try await copy(other)
        let elapsed = watch.elapsed
        let count = try await other.count(RecordQuery<Person>())
        return Sample(elapsed, operations: size, checks: [Check("copied", count, expected: size)])
      }
      return Comparison(
        size: size,
        systems: [
          System("fetch and apply", note: "By hand: nothing is looked for, nothing compared.") {
            try await measure { other in
              for start in stride(from: 0, to: size, by: 1_000) {
                let records = try await store.fetch(
                  Person.self, ids: Array(start..<min(size, start + 1_000)))
                try await other.apply(try await insertions(records))
              }
            }
          },
          System("Kinship, copy") {
            try await measure { other in try await store.copy([Person.self], to: other) }
          },
          System("Kinship, copied again", note: "All is there, and is compared twice.") {
            let url = directory.url.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: url) }
            let other = try await destination(url)
            try await store.copy([Person.self], to: other)
            let watch = Stopwatch()
            let report = try await store.copy([Person.self], to: other)
            return Sample(
              watch.elapsed, operations: size,
              checks: [Check("written", report.written, expected: 0)])
          },
        ])
    }
  }
}
