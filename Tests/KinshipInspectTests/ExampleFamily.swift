import Foundation
import Kinship
import KinshipFileStore
import KinshipTestSupport

/// The family with known output of every command.
enum ExampleFamily {
  struct Person: GraphRecord, Codable {
    let id: Int
    var name: String
    var born: Int?
    var father: Ref<Person>?
    var mother: Ref<Person>?
    var parts: [String] = []

    static let relationships: Relationships<Person> = [.toOne(\.father), .toOne(\.mother)]
  }

  struct Place: GraphRecord, Codable {
    let id: String
    var area: Double?
  }

  static let persons = [
    Person(id: 1, name: "Victoria", born: 1819, parts: ["Alexandrina", "Victoria"]),
    Person(id: 2, name: "Albert, “Prince”", born: 1819),
    Person(id: 3, name: "Vicky", born: 1840, father: Ref(2), mother: Ref(1)),
    Person(id: 4, name: "Wilhelm", born: 1859, father: Ref(9), mother: Ref(3)),
  ]
  static let places = [Place(id: "Windsor", area: 1.5), Place(id: "Osborne")]

  /// A disk with a closed store in `/store`, a later version of it in `/other`, and a snapshot in
  /// `/d/snapshot`.
  static func disk() async throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let changes = ChangeSet(inserting: persons).merging(ChangeSet(inserting: places))
    for path in ["/store", "/other"] {
      let store = try await FileStore(in: disk, at: path, schema: schema())
      try await store.apply(changes)
      if path == "/other" { try await change(store) }
      try await store.close()
    }
    _ = try disk.openDirectory("/d", creating: true)
    let cache = try GraphCache(for: Person.self, Place.self)
    try await cache.put(contentsOf: persons)
    try await cache.put(contentsOf: places)
    _ = try await cache.snapshot(
      to: "/d/snapshot", in: disk, at: Date(timeIntervalSince1970: 1_800_000_000))
    return disk
  }

  private static func schema() throws -> GraphSchema { try GraphSchema(Person.self, Place.self) }

  private static func change(_ store: FileStore) async throws {
    var married = persons[2]
    married.name = "Victoria of Prussia"
    married.born = nil
    try await store.apply(
      ChangeSet(
        inserting: [Person(id: 5, name: "Charlotte", mother: Ref(3))],
        updating: [
          UpdatedRecord(
            persons[2].ref, old: persons[2], new: married, properties: nil)
        ], deleting: [persons[3]]))
  }
}
