import Kinship
import KinshipFileStore
import KinshipTestSupport
import Testing

/// Fields of a later version of the program stay, whatever an earlier version does to records.
struct StrangeFieldsTests {
  enum Earlier {
    struct Person: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String
      var motto: String?
    }
  }

  /// A new, optional property needs no version.
  enum Later {
    struct Person: GraphRecord, Codable, Equatable {
      let id: Int
      var name: String
      var motto: String?
      var born: Double?
      var titles: [String]?
    }
  }

  private static let coders: [any RecordCoder] = [.compact, .json]

  private func open<R: GraphRecord>(
    _ disk: SimulatedDisk, _ type: R.Type, _ coder: any RecordCoder
  ) async throws -> FileStore {
    var tuning = LogTuning()
    tuning.smallestSegment = 512
    tuning.compactsInBackground = false
    return try await FileStore(
      in: disk, at: "/store", schema: GraphSchema(types: [type]), coder: coder, tuning: tuning)
  }

  private func people(_ count: Int) -> [Later.Person] {
    (0..<count).map {
      Later.Person(
        id: $0, name: "Person \($0)", motto: $0 % 2 == 0 ? nil : "Motto",
        born: $0 % 3 == 0 ? nil : Double($0) + 0.5, titles: $0 % 4 == 0 ? nil : ["Duke", "\($0)"])
    }
  }

  private func disk(_ people: [Later.Person], _ coder: any RecordCoder) async throws
    -> SimulatedDisk
  {
    let disk = SimulatedDisk()
    let store = try await open(disk, Later.Person.self, coder)
    try await store.apply(ChangeSet(inserting: people))
    try await store.close()
    return disk
  }

  private func verify(
    _ disk: SimulatedDisk, has people: [Later.Person], _ coder: any RecordCoder
  ) async throws {
    let store = try await open(disk, Later.Person.self, coder)
    #expect(try await store.fetch(RecordQuery<Later.Person>().sorted(by: \.id)) == people)
    try await store.close()
  }

  @Test(arguments: [0, 1])
  func `an update keeps fields that its record type lacks`(number: Int) async throws {
    let coder = Self.coders[number]
    var people = people(12)
    let disk = try await disk(people, coder)
    let store = try await open(disk, Earlier.Person.self, coder)
    let cache = try GraphCache(for: Earlier.Person.self, store: store)
    for id in people.indices {
      let ref = Ref<Earlier.Person>(id)
      // Twice, so that this version reads its own records too; blindly, with known records, and by
      // closures.
      try await cache.write { tx in try tx.update(ref, \.name, to: "A") }
      try await cache.write { tx in try tx.update(ref) { $0.motto = id % 3 == 0 ? nil : "B" } }
      people[id].name = "A"
      people[id].motto = id % 3 == 0 ? nil : "B"
    }
    try await store.compact()
    try await store.close()
    try await verify(disk, has: people, coder)
  }

  /// Changes of one record that are committed together.
  @Test(arguments: [0, 1])
  func `concurrent updates of one record keep unknown fields`(number: Int) async throws {
    let coder = Self.coders[number]
    var people = people(3)
    let disk = try await disk(people, coder)
    let store = try await open(disk, Earlier.Person.self, coder)
    try await withThrowingTaskGroup { group in
      for round in 0..<8 {
        group.addTask {
          try await store.apply(
            ChangeSet(updating: [
              UpdatedRecord(
                Ref<Earlier.Person>(2), old: nil, new: nil,
                properties: [
                  round % 2 == 0
                    ? .set(\Earlier.Person.name, to: "A")
                    : .set(\Earlier.Person.motto, to: "B")
                ])
            ]))
        }
      }
      try await group.waitForAll()
    }
    try await store.close()
    people[2].name = "A"
    people[2].motto = "B"
    try await verify(disk, has: people, coder)
  }

  @Test(arguments: [0, 1])
  func `undoing a deletion restores unknown fields`(number: Int) async throws {
    let coder = Self.coders[number]
    let people = people(6)
    let disk = try await disk(people, coder)
    let store = try await open(disk, Earlier.Person.self, coder)
    let cache = try GraphCache(for: Earlier.Person.self, store: store)
    let stack = UndoStack(cache)
    try await stack.write { tx in
      for id in people.indices { try tx.delete(Ref<Earlier.Person>(id)) }
    }
    try await stack.undo()
    try await stack.redo()
    try await stack.undo()
    try await store.close()
    try await verify(disk, has: people, coder)
  }

  /// With another coder, all records are encoded again.
  @Test func `compaction with another coder keeps unknown fields`() async throws {
    let people = people(40)
    let disk = try await disk(people, .json)
    let store = try await open(disk, Earlier.Person.self, .compact)
    try await store.apply(ChangeSet(inserting: [Earlier.Person(id: 99, name: "")]))
    try await store.apply(ChangeSet(deleting: [Earlier.Person(id: 99, name: "")]))
    try await store.compact()
    try await store.close()
    try await verify(disk, has: people, .compact)
  }

  /// A record that is inserted again has only its own properties.
  @Test func `an insertion starts without unknown fields`() async throws {
    var people = people(2)
    let disk = try await disk(people, .compact)
    let store = try await open(disk, Earlier.Person.self, .compact)
    try await store.apply(ChangeSet(deleting: [Earlier.Person(id: 1, name: "")]))
    try await store.apply(ChangeSet(inserting: [Earlier.Person(id: 1, name: "New")]))
    try await store.close()
    people[1] = Later.Person(id: 1, name: "New")
    try await verify(disk, has: people, .compact)
  }
}
