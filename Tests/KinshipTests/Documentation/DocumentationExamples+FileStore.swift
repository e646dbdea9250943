import Foundation
import Kinship
import KinshipTiers
import KinshipFileStore
import KinshipTestSupport
import Testing

extension DocumentationExamples {
  /// Examples with records for files.
  struct Stored {
    struct Person: GraphRecord, Codable {
      let id: Int
      var name: String
      var events: [Ref<Event>] = []

      static let relationships: Relationships<Person> = [.toMany(\.events)]
    }

    struct Event: GraphRecord, Codable {
      let id: String
      var year: Int
    }

    @Test func `a file store keeps records after it is reopened`() async throws {
      let temporary = try TemporaryDirectory()
      let directory = temporary.url.appending(path: "store")

      let schema = try GraphSchema(Person.self, Event.self)
      let store = try await FileStore(at: directory, schema: schema)
      let cache = GraphCache(schema: schema, store: store)

      try await cache.write { tx in
        try tx.insert(Person(id: 42, name: "Albert", events: ["birth-42"]))
        try tx.insert(Event(id: "birth-42", year: 1819))
      }
      try await store.close()
      let again = GraphCache(
        schema: schema, store: try await FileStore(at: directory, schema: schema))
      let family = try await again.graph(of: Ref<Person>(42), .generations(1))
      #expect(family.root.events.first?.year == 1819)
    }

    @Test func `a file store can be read, backed up and copied while it is open`() async throws {
      let temporary = try TemporaryDirectory()
      let schema = try GraphSchema(Person.self, Event.self)
      let store = try await FileStore(
        at: temporary.url.appending(path: "store"), schema: schema)
      let writing = GraphCache(schema: schema, store: store)
      try await writing.write { tx in
        try tx.insert(Person(id: 42, name: "Albert", events: ["birth-42"]))
        try tx.insert(Event(id: "birth-42", year: 1819))
      }
      do {
        let directory = temporary.url.appending(path: "store")
        let reader = try await FileStore(readingFrom: directory, schema: schema)
        let people = try await reader.fetch(RecordQuery<Person>().sorted(by: \.name))
        #expect(people.map(\.name) == ["Albert"])
        let cache = GraphCache(schema: schema, store: reader)
        try await writing.write { tx in
          try tx.update(Ref<Person>(42), \.name, to: "Victoria")
        }
        #expect(try await cache.resolve(Ref<Person>(42)).name == "Albert")
        if try await reader.refresh() {
          await cache.removeAll()
        }
        #expect(try await cache.resolve(Ref<Person>(42)).name == "Victoria")
      }
      let directory = temporary.url.appending(path: "backup")
      let backup = try await store.backup(to: directory)
      print("\(backup.copiedBytes) bytes are new, \(backup.reusedBytes) were there.")
      let files = try await FileStore(readingFrom: directory, schema: schema)
      let database = MemoryStore()
      let report = try await files.copy([Person.self, Event.self], to: database) { progress in
        print("\(progress.copied) records, the last ones of \(progress.type)")
      }
      #expect(report.digests.map(\.count) == [1, 1])
    }
  }
}
