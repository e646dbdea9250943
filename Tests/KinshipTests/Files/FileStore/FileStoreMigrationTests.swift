import Kinship
import KinshipFileStore
import KinshipTestSupport
import Testing

struct FileStoreMigrationTests {
  enum First {
    struct Person: GraphRecord, Codable {
      let id: Int
      var name: String
    }
    struct Draft: GraphRecord, Codable {
      let id: String
    }
  }

  enum Second {
    /// Its name was Person, and the person's name was one property.
    struct Human: GraphRecord, Codable, Equatable {
      let id: Int
      var given: String
      var family: String?

      static var recordVersion: Int { 2 }
    }
  }

  static func open(
    _ disk: SimulatedDisk, _ types: [any GraphRecord.Type], _ migrations: Migrations = Migrations()
  ) async throws -> FileStore {
    var tuning = LogTuning()
    tuning.smallestSegment = 512
    tuning.compactsInBackground = false
    return try await FileStore(
      in: disk, at: "/store", schema: GraphSchema(types: types), migrations: migrations,
      tuning: tuning)
  }

  static func written() async throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try await open(disk, [First.Person.self, First.Draft.self])
    try await store.apply(
      ChangeSet(inserting: [First.Draft(id: "a"), First.Draft(id: "b")]))
    try await store.apply(
      ChangeSet(inserting: (0..<40).map { First.Person(id: $0, name: "Person \($0)") }))
    try await store.apply(ChangeSet(deleting: [First.Person(id: 3, name: "")]))
    try await store.close()
    return disk
  }

  static let migrations = Migrations()
    .renaming("Person", to: Second.Human.self)
    .removing("Draft")
    .step(for: Second.Human.self, from: 1) { $0.rename("name", to: "given") }

  @Test(arguments: [true, false])
  func `a store migrates records of an earlier version`(hasHints: Bool) async throws {
    let disk = try await Self.written()
    if !hasHints {
      for name in disk.files(in: "/store").keys where name.hasSuffix(".kinhint") {
        disk.take(name, from: "/store")
      }
    }
    var store = try await Self.open(disk, [Second.Human.self], Self.migrations)
    var expected = (0..<40).filter { $0 != 3 }.map {
      Second.Human(id: $0, given: "Person \($0)", family: nil)
    }
    let query = RecordQuery<Second.Human>().sorted(by: \.id)
    #expect(try await store.fetch(query) == expected)
    expected[0].family = "Wettin"
    try await store.apply(
      ChangeSet(updating: [
        UpdatedRecord(
          Ref<Second.Human>(0), old: nil, new: nil,
          properties: [.set(\Second.Human.family, to: "Wettin" as String?)])
      ]))
    // Records of both versions are moved unchanged, and those of the removed type are dropped.
    try await store.compact()
    #expect(try await store.fetch(query) == expected)
    try await store.close()
    store = try await Self.open(disk, [Second.Human.self], Self.migrations)
    #expect(try await store.fetch(query) == expected)
    #expect(store.statistics.records == 39)
  }

  @Test func `a store with an unknown type is not opened`() async throws {
    let disk = try await Self.written()
    func error(_ migrations: Migrations) async -> KinshipError? {
      await #expect(throws: KinshipError.self) {
        _ = try await Self.open(disk, [Second.Human.self], migrations)
      }
    }
    guard case .invalidSchema(.unknownType) = await error(Migrations()) else {
      Issue.record("a type is not missed")
      return
    }
    let renaming = Migrations().renaming("Person", to: Second.Human.self).removing("Draft")
    guard case .invalidSchema(.noMigration) = await error(renaming) else {
      Issue.record("a step is not missed")
      return
    }
    // The refusal has left the store as it was.
    _ = try await Self.open(disk, [First.Person.self, First.Draft.self])
  }
}
