import Foundation
import Kinship
import KinshipTesting
import KinshipFileStore
import KinshipTestSupport
import KinshipTestTraits
import Testing

@Suite(.dedicatedThreads)
struct FileStoreConformanceTests {
  static let coders: [any RecordCoder] = [.compact, .json]

  /// Segments so small that there are many, and that they are compacted.
  static var smallSegments: LogTuning {
    var tuning = LogTuning()
    tuning.smallestSegment = 1_024
    tuning.compactsInBackground = false
    return tuning
  }

  @Test(
    arguments: StoreConformance.Check.allCases,
    [
      FileStore.Durability.everyCommit, .atMostEvery(.milliseconds(2)), .system,
    ])
  func `a file store conforms`(to check: StoreConformance.Check, durability: FileStore.Durability)
    async throws
  {
    let schema = try GraphSchema(types: StoreContents.recordTypes)
    let directories = Lock<[TemporaryDirectory]>([])
    for coder in Self.coders {
      try await StoreConformance { contents in
        let directory = try TemporaryDirectory()
        directories.withLock { $0.append(directory) }
        let store = try await FileStore(
          at: directory.url, schema: schema, coder: coder, durability: durability)
        try await store.apply(contents.insertions)
        return store
      }.run(check)
    }
  }

  /// The record is damaged while the store is open.
  @Test(arguments: 0..<coders.count)
  func `a damaged record affects no other record`(coder: Int) async throws {
    let directory = try TemporaryDirectory()
    let schema = try GraphSchema(types: StoreContents.recordTypes)
    try await StoreConformance.verifyUnreadable(findsByColumn: false) { contents in
      let store = try await FileStore(at: directory.url, schema: schema, coder: Self.coders[coder])
      try await store.apply(contents.insertions)
      let files = try FileManager.default.contentsOfDirectory(
        at: directory.url, includingPropertiesForKeys: nil)
      let log = try #require(files.first { $0.pathExtension == "kinlog" })
      let name = try #require(try Data(contentsOf: log).range(of: Data("Ernst".utf8)))
      let file = try FileHandle(forUpdating: log)
      try file.seek(toOffset: UInt64(name.lowerBound))
      try file.write(contentsOf: Data("Ernsu".utf8))
      try file.close()
      return store
    }
  }

  /// The store was compacted and reopened before the check.
  @Test(arguments: StoreConformance.Check.allCases)
  func `a reopened file store conforms`(to check: StoreConformance.Check) async throws {
    let schema = try GraphSchema(types: StoreContents.recordTypes)
    for (first, second) in [(0, 0), (0, 1), (1, 0)] {
      try await StoreConformance { contents in
        let disk = SimulatedDisk()
        let store = try await FileStore(
          in: disk, at: "/store", schema: schema, coder: Self.coders[first],
          tuning: Self.smallSegments)
        try await store.apply(contents.insertions)
        if contents.people.count.isMultiple(of: 2) { try await store.compact() }
        try await store.close()
        return try await FileStore(
          in: disk, at: "/store", schema: schema, coder: Self.coders[second],
          tuning: Self.smallSegments)
      }.run(check)
    }
  }
}
