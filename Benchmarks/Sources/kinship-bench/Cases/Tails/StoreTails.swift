import Kinship

extension Case {
  static let starTail = tail("star", while: "while a graph of one with all others is loaded") {
    size in
    let all = Folder(id: 0, name: "all", contents: (1..<size).map { Ref($0) })
    return try await graphTail(
      of: [all] + (1..<size).map { Folder(id: $0, name: "one of many", contents: []) })
  }

  static let treeTail = tail("tree", while: "while a graph of a tree is loaded") { size in
    try await graphTail(
      of: (0..<size).map { id in
        let below = min(10 * id + 1, size)..<min(10 * id + 11, size)
        return Folder(id: id, name: "one of many", contents: below.map { Ref($0) })
      })
  }

  /// The first record is the root.
  private static func graphTail(of folders: [Folder]) async throws -> Interruption {
    let cache = try GraphCache(for: Folder.self, store: MemoryStore(folders))
    _ = try await cache.resolve(Ref<Folder>(0))
    return Interruption(of: Ref<Folder>(0), in: cache) {
      _ = try await cache.graph(of: Ref<Folder>(0), .generations(.max))
    }
  }

  static let findMissingTail = tail(
    "find-one", while: "while all are looked up, all in memory but one"
  ) { size in
    let cache = try await filled(size, over: store(size))
    await cache.evict(Ref<Person>(size / 2))
    return find(size, in: cache)
  }

  static let findTail = tail("find-all", while: "while all are looked up, from a store") { size in
    let cache = try GraphCache(for: Person.self, store: store(size))
    _ = try await cache.resolve(Ref<Person>(0))
    return find(size, in: cache)
  }

  private static func store(_ size: Int) -> MemoryStore {
    MemoryStore(Population<Person>(count: size).records)
  }

  private static func find(_ size: Int, in cache: GraphCache) -> Interruption {
    let refs = (0..<size).map { Ref<Person>($0) }
    return Interruption(of: Ref<Person>(0), in: cache) { _ = try await cache.find(refs) }
  }

  static let failureTail = tail(
    "failure", while: "while a tenth of them are waited for, one by one, and their store fails"
  ) { size in
    let cache = try GraphCache(for: Person.self, store: FailingStore())
    try await cache.put(Population<Person>(count: 1).records[0])
    return Interruption(of: Ref<Person>(0), in: cache) {
      await withTaskGroup { group in
        for number in 1...size / 10 {
          group.addTask { _ = try? await cache.resolve(Ref<Person>(number)) }
        }
      }
    }
  }
}

/// A store that never answers.
private struct FailingStore: BackingStore {
  struct Failure: Error {}

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { throw Failure() }
}
