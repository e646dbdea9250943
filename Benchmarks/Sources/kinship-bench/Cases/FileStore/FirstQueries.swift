import Foundation
import Kinship
import KinshipFileStore

extension Case {
  static let fileStoreFirst = Case(
    "first", summary: "the first question after opening, which makes an index; ns a record held",
    sizeName: "stored", sizes: \.indexSizes
  ) { size, _ in
    let directory = try ScratchDirectory()
    var url: URL { directory.url.appending(path: "store") }
    let schema = try GraphSchema(Person.self)
    let store = try await FileStore(at: url, schema: schema, durability: .system)
    for start in stride(from: 0, to: size, by: 100_000) {
      let persons = Population<Person>(count: min(size, start + 100_000)).records[start...]
      try await store.apply(try await insertions(Array(persons)))
    }
    try await store.close()

    func first(
      _ name: String, note: String? = nil,
      _ question: @escaping @Sendable (FileStore) async throws -> Int
    ) -> System {
      System(name, note: note) {
        let store = try await FileStore(at: url, schema: schema, durability: .system)
        let watch = Stopwatch()
        let found = try await question(store)
        let elapsed = watch.elapsed
        try await store.close()
        return Sample(
          elapsed, operations: size, checks: [Check("found", min(found, 20), expected: 20)])
      }
    }
    /// Reads all records in batches, as building an index does.
    let readAll: @Sendable (FileStore) async throws -> Int = { store in
      var found = 0
      for start in stride(from: 0, to: size, by: 1_024) {
        found += try await store.fetch(
          Person.self, ids: Array(start..<min(size, start + 1_024))
        ).count
      }
      return found
    }
    return Comparison(
      size: size,
      systems: [
        first("all are read and decoded", note: "The floor of those below.", readAll),
        first("the first 20 in an order of dates") { store in
          try await store.fetch(RecordQuery<Person>().sorted(by: \.birth).limited(to: 20)).count
        },
        first("the first 20 in an order of texts") { store in
          try await store.fetch(RecordQuery<Person>().sorted(by: \.place).limited(to: 20)).count
        },
        first("who refers to a hundred") { store in
          try await store.referrers(
            to: (0..<100).map { Ref<Person>($0) }, by: RecordRelationship(\Person.father)
          ).count
        },
      ])
  }
}
