import Foundation
import Kinship
import KinshipSync
import KinshipTestSupport
import Testing

@testable import KinshipTrials

extension DocumentationExamples {
  @Test func `the compact form has the documented bytes`() throws {
    let encoder = CompactCoder.compact.makeEncoder(keys: [])
    var bytes: [UInt8] = []
    try encoder.encode(["year": 1819], into: &bytes)
    // bytes are CA 03 01 47 1B, and encoder.keys are ["year"]

    #expect(bytes == [0xCA, 0x03, 0x01, 0x47, 0x1B])
    #expect(encoder.keys == ["year"])
  }

  @Test func `a JSON coder uses its encoder's date strategy`() throws {
    let coder = JSONCoder {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      return encoder
    } decoder: {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return decoder
    }
    let date = Date(timeIntervalSinceReferenceDate: 0)
    #expect(try coder.roundTrip([date]) == [date])
    #expect(try coder.encoded([date]).bytes == Array(#"["2001-01-01T00:00:00Z"]"#.utf8))
  }
}

/// The types of a program in its second version.
enum SecondVersion {
  struct Person: GraphRecord, Codable {
    let id: Int
    var givenName: String
    var surname: String

    static let recordVersion = 2
  }

  struct Examples {
    @Test func `a snapshot of an older version migrates on restore`() async throws {
      let directory = try TemporaryDirectory()
      let url = directory.url.appending(path: "persons.kinship")
      let old = try GraphCache(for: FirstVersion.Human.self, FirstVersion.Draft.self)
      try await old.put(FirstVersion.Human(id: 1, name: "Albert of Saxe-Coburg"))
      try await old.put(FirstVersion.Draft(id: 1))
      try await old.snapshot(to: url)
      let cache = try GraphCache(for: Person.self)

      let migrations = Migrations()
        .renaming("Human", to: Person.self)
        .removing("Draft")
        .step(for: Person.self, from: 1) { person in
          let names = (person.remove("name")?.text ?? "").split(separator: " ", maxSplits: 1)
          person["givenName"] = .text(names.first.map(String.init) ?? "")
          person["surname"] = .text(names.count > 1 ? String(names[1]) : "")
        }

      var options = RestoreOptions()
      options.migrations = migrations
      try await cache.restore(from: url, options)
      #expect(cache.peek(1 as Ref<Person>)?.surname == "of Saxe-Coburg")
    }

    @Test func `migration steps rename, add and remove properties`() {
      let migrations = Migrations()
        .renaming("Human", to: Person.self)
        .removing("Draft")
        .step(for: Person.self, from: 1) { $0.rename("name", to: "givenName") }
        .step(for: Person.self, from: 2) { $0["surname"] = $0["surname"] ?? "" }
      _ = migrations
      _ = Migrations().step(for: Person.self, from: 1) { person in
        person.rename("name", to: "fullName")
        person["isAlive"] = .bool(person["death"] == nil)
      }
    }
  }
}

enum FirstVersion {
  struct Human: GraphRecord, Codable {
    let id: Int
    var name: String
  }

  struct Draft: GraphRecord, Codable {
    let id: Int
  }
}

struct SnapshotExamples {
  struct Person: GraphRecord, Codable {
    let id: Int
    var name: String
  }

  struct Event: GraphRecord, Codable {
    let id: Int
  }

  struct Place: GraphRecord, Codable {
    let id: Int
  }

  @Test func `a restored snapshot catches up from its cursor`() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "family.kinship")
    let store = LoggedStore(
      MemoryStore([Person(id: 1, name: "Albert"), Person(id: 2, name: "Ernst")]))
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      let following = cache.follow(store)
      try await following.catchUp()
      _ = try await cache.find([1, 2] as [Ref<Person>])
      try await cache.snapshot(to: url)
    }
    store.put(Person(id: 1, name: "Prince Albert"))

    let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
    let report = try await cache.restore(from: url)
    let following = cache.follow(store)  // from report.cursor on
    try await store.catchUp()

    #expect(report.cursor != nil && following.cursor != report.cursor)
    #expect(cache.peek(Ref<Person>(1)) == nil)
    following.end()
  }

  @MainActor @Test func `a restored list is shown before the store is asked`() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "family.kinship")
    let logged = LoggedStore(
      MemoryStore([Person(id: 1, name: "Albert"), Person(id: 2, name: "Ernst")]))
    // On a busy machine, a second may pass, after which memory would be too old.
    let clock = ManualClock()
    do {
      let cache = try GraphCache(for: Person.self, store: logged, clock: clock)
      let following = cache.follow(logged)
      // Following drops what was loaded before it has begun.
      try await following.catchUp()
      let people = Live(cache, RecordQuery<Person>().sorted(by: \.name))
      while people.isLoading { await Task.yield() }
      try await cache.snapshot(to: url)
      following.end()
    }
    let store = logged
    let counting = ScriptedStore(over: logged)
    let cache = try GraphCache(for: Person.self, store: counting, clock: clock)

    let report = try await cache.restore(from: url)
    let following = cache.follow(store)
    let people = Live(cache, RecordQuery<Person>().sorted(by: \.name))

    #expect(people.value.map(\.name) == ["Albert", "Ernst"])
    while people.isLoading { await Task.yield() }
    #expect(report.restored == 2 && counting.calls.isEmpty)
    following.end()
  }

  @Test func `a snapshot restores with options and reports its failures`() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "family.kinship")
    let store = MemoryStore()
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      try await cache.put(Person(id: 1, name: "Albert"))

      let report = try await cache.snapshot(to: url)
      print(report.records, "records in", report.size, "bytes")
      #expect(report.records == 1)
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      let report = try await cache.restore(from: url)
      let home = report.leases["home"]
      #expect(home == nil)
      #expect(report.restored == 1)
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, store: store)
      let report = try await cache.restore(from: url)
      #expect(report.known == 0)
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      var options = RestoreOptions()
      options.maximumAge = .seconds(24 * 60 * 60)
      try await cache.restore(from: url, options)
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      let report = try await cache.snapshot(to: url, coder: .json)
      for failure in report.failures { print(failure) }
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      try await cache.snapshot(to: url, coder: .json)

      var options = RestoreOptions()
      options.damage = .salvage
      let report = try await cache.restore(from: url, options)
      for failure in report.failures { print(failure) }
    }
    do {
      let cache = try GraphCache(for: Person.self, Event.self, Place.self, store: store)
      try await cache.snapshot(to: url, coder: .json)
      var options = RestoreOptions()
      options.maximumAge = .seconds(24 * 60 * 60)
      options.damage = .salvage
      let report = try await cache.restore(from: url, options)
      for failure in report.failures { print(failure) }
    }
  }
}
