import Foundation
import Kinship
import KinshipTesting
import KinshipTestSupport
import Testing

/// Ids that the store chooses for new records.
struct NewRefTests {
  struct Album: GraphRecord, Codable, Equatable {
    let id: Int
    var title = ""
    var first: Ref<Song>?
    static let relationships: Relationships<Album> = [.toOne(\.first)]
  }

  struct Song: GraphRecord, Codable, Equatable {
    let id: Int
    var name = ""
    var album: Ref<Album>
    static let relationships: Relationships<Song> = [.toOne(\.album, onTargetDelete: .cascade)]
  }

  struct Tag: GraphRecord { let id: String }
  struct Note: GraphRecord { let id: UUID }

  /// Counts its requests.
  ///
  /// Some of the ids that it chooses are taken before they are used.
  final class ChoosingStore: ForwardingStore {
    struct Refusal: Error {}

    let memory = MemoryStore()
    let requests = Lock<[Int]>([])
    let failures = Lock(0)
    let takes = Lock(0)
    let refusals = Lock(0)
    let repeats = Lock(false)

    var base: any BackingStore { memory }

    func reserveIDs<R: GraphRecord>(_ type: R.Type, count: Int) async throws -> [R.ID] {
      requests.withLock { $0.append(count) }
      if failures.takeOne() { throw Refusal() }
      let ids = try await memory.reserveIDs(type, count: count)
      if repeats.withLock({ $0 }) { return ids + ids }
      if takes.takeOne(), let id = ids.first as? Int, type == Album.self {
        memory.insert([Album(id: id, title: "somebody else's")])
      }
      return ids
    }

    func apply(_ changes: ChangeSet) async throws {
      if refusals.takeOne() { throw KinshipError.misuse(.readOnlyStore("ChoosingStore")) }
      try await memory.apply(changes)
    }
  }

  let store = ChoosingStore()
  let cache: GraphCache

  init() throws {
    cache = try GraphCache(for: Album.self, Song.self, Tag.self, Note.self, store: store)
    store.memory.insert([Album(id: 7, title: "there")])
  }

  @Test func `new records refer to each other`() async throws {
    let (album, changes) = try await cache.write { tx in
      let album = try tx.newRef(Album.self)
      let song = try tx.newRef(Song.self)
      try tx.insert(Album(id: album.id, title: "Zooropa", first: song))
      try tx.insert(Song(id: song.id, name: "Lemon", album: album))
      return album
    }
    #expect(album.id > 7)
    let stored = try #require(store.memory[album])
    #expect(changes.inserted(Album.self) == [stored])
    let song = try #require(stored.first)
    #expect(store.memory[song]?.album == album)
    #expect(cache.peek(album) == stored)
    let undone = try await cache.write { [inverse = try changes.inverted] tx in
      try tx.apply(inverse)
    }
    #expect(store.memory[album] == nil)
    try await cache.write { [inverse = try undone.inverted] tx in try tx.apply(inverse) }
    #expect(store.memory[album] == stored)
  }

  @Test func `ids are reserved in proportion to their use`() async throws {
    let runs = Lock(0)
    func insert(_ count: Int) async throws {
      try await cache.write { tx in
        runs.withLock { $0 += 1 }
        for _ in 0..<count { try tx.insert(Album(id: tx.newRef(Album.self).id)) }
      }
    }
    for _ in 0..<100 { try await insert(1) }
    // 1, 1, 2, 4 and so on: finally one of 64 transactions runs twice.
    #expect(store.requests.withLock { $0 } == [1, 1, 2, 4, 8, 16, 32, 64])
    #expect(runs.withLock { $0 } == 108)
    try await insert(1_000)
    #expect(runs.withLock { $0 } <= 116)
    #expect(store.memory.count(of: Album.self) == 1 + 100 + 1_000)
    #expect(store.requests.withLock { $0.reduce(0, +) } <= 2 * 1_100)
  }

  /// A record that is shown at once has its id from the beginning, and keeps it when its write is
  /// re-run.
  @Test func `a record shown optimistically keeps its id`() async throws {
    try await cache.write { tx in try tx.insert(Album(id: tx.newRef(Album.self).id)) }
    store.refusals.withLock { $0 = 1 }
    let refused = try await cache.writeOptimistically { tx in
      try tx.update(Ref<Album>(7), \.title, to: "other")
    }
    let given = Lock<[Int]>([])
    let pending = try await cache.writeOptimistically { tx in
      let ref = try tx.newRef(Album.self)
      given.withLock { $0.append(ref.id) }
      try tx.insert(Album(id: ref.id, title: tx[Ref<Album>(7)]?.title ?? ""))
    }
    await #expect(throws: KinshipError.self) { try await refused.outcome() }
    let changes = try await pending.outcome()
    let ids = given.withLock { $0 }
    #expect(Set(ids).count == 1)
    #expect(changes.inserted(Album.self) == [Album(id: ids[0], title: "there")])
    #expect(store.memory[Ref<Album>(ids[0])]?.title == "there")
  }

  @Test func `an id already in use is replaced`() async throws {
    store.takes.withLock { $0 = 3 }
    let (ref, _) = try await cache.write { tx in
      let ref = try tx.newRef(Album.self)
      try tx.insert(Album(id: ref.id, title: "mine"))
      return ref
    }
    #expect(store.memory[ref]?.title == "mine")
    #expect(store.memory.count(of: Album.self) == 5)
    try await cache.write { tx in
      for _ in 0..<3 { try tx.insert(Album(id: tx.newRef(Album.self).id)) }
    }
    // It does not retry for ever, and not if the closure itself has used the id twice.
    store.takes.withLock { $0 = 1_000 }
    await #expect(throws: KinshipError.self) {
      try await cache.write { tx in try tx.insert(Album(id: tx.newRef(Album.self).id)) }
    }
    store.takes.withLock { $0 = 0 }
    let error = await #expect(throws: KinshipError.self) {
      try await cache.write { tx in
        let ref = try tx.newRef(Album.self)
        try tx.insert(Album(id: ref.id))
        try tx.insert(Album(id: ref.id))
      }
    }
    guard case .exists? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a store that assigns no ids says so`() async throws {
    func error(
      in cache: GraphCache,
      _ body: @escaping @Sendable (inout GraphCache.Transaction) throws -> Void
    ) async -> String? {
      do {
        try await cache.write(body: body)
        return nil
      } catch {
        return "\(error)"
      }
    }
    func unsupported(_ store: String, _ type: String) -> String {
      KinshipError.misuse(.unsupported(store: store, operation: "new ids of \(type)")).description
    }
    let plain = try GraphCache(for: Album.self, Song.self)
    #expect(
      await error(in: plain) { tx in _ = try tx.newRef(Album.self) }
        == unsupported("A cache without a store", "Album"))
    #expect(
      await error(in: cache) { tx in _ = try tx.newRef(Tag.self) }
        == unsupported("MemoryStore", "Tag"))
    struct Reader: BackingStore {
      func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] { [] }
    }
    #expect(
      await error(in: try GraphCache(for: Album.self, Song.self, store: Reader())) { tx in
        _ = try tx.newRef(Album.self)
      } == unsupported("Reader", "Album"))
    store.failures.withLock { $0 = 1 }
    #expect(
      await error(in: cache) { tx in _ = try tx.newRef(Album.self) }
        == "Fetching Album failed: Refusal().")
    store.repeats.withLock { $0 = true }
    #expect(
      await error(in: cache) { tx in _ = try tx.newRef(Album.self) }
        == unsupported("ChoosingStore", "Album"))
    store.repeats.withLock { $0 = false }
    try await cache.write { tx in try tx.insert(Note(id: tx.newRef(Note.self).id)) }
    #expect(store.memory.count(of: Note.self) == 1)
  }

  enum Step: Command {
    case insert(songs: Int, isShown: Bool, fails: Bool)
    case delete(Int)
    case refuse
    case take
    case invalidate

    static func random(using generator: inout SplitMix64) -> Step {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: .refuse
      case 1: .take
      case 2: .invalidate
      case 3: .delete(Int.random(in: 0..<8, using: &generator))
      default:
        .insert(
          songs: Int.random(in: 0..<5, using: &generator), isShown: generator.chance(0.5),
          fails: generator.chance(0.2))
      }
    }
  }

  /// Whatever is rejected, taken or re-run, each album has its own songs, and no record overwrites
  /// another.
  @Test func `every inserted record is stored once`() async throws {
    try await Property.check(
      seeds: 60, steps: 40, generate: { Step.random(using: &$0) }
    ) { steps, _ in
      let world = World(try NewRefTests())
      for (number, step) in steps.enumerated() {
        try await world.apply(step, called: "album \(number)")
      }
      try await world.settle()
      try await world.verify()
    }
  }

  private final class World {
    struct Stop: Error {}

    let test: NewRefTests
    var titles: Set<String> = ["there"]
    var pending: [(title: String, write: GraphCache.PendingWrite)] = []

    init(_ test: NewRefTests) { self.test = test }

    func apply(_ step: Step, called title: String) async throws {
      switch step {
      case .insert(let songs, let isShown, let fails):
        let body = { @Sendable (tx: inout GraphCache.Transaction) in
          let album = try tx.newRef(Album.self)
          try tx.insert(Album(id: album.id, title: title))
          for song in 0..<songs {
            let ref = try tx.newRef(Song.self)
            try tx.insert(Song(id: ref.id, name: "\(title) \(song)", album: album))
            try tx.update(album) { $0.first = ref }
          }
          if fails { throw Stop() }
        }
        do {
          if isShown {
            pending.append((title, try await test.cache.writeOptimistically(body: body)))
          } else {
            try await test.cache.write(body: body)
            titles.insert(title)
          }
        } catch is Stop {
          try KinshipTesting.verify(fails, "it failed though it does not")
        } catch KinshipError.misuse(.readOnlyStore) {
          // It was refused.
        }
      case .delete(let number):
        // A transaction does not see pending writes.
        try await settle()
        let albums = try await test.cache.find(RecordQuery<Album>())
          .filter { $0.title.hasPrefix("album") }
        if albums.isEmpty { return }
        let album = albums[number % albums.count]
        do {
          try await test.cache.write { tx in try tx.delete(album.ref) }
          titles.remove(album.title)
        } catch KinshipError.misuse(.readOnlyStore) {
          // It was refused.
        }
      case .refuse: test.store.refusals.withLock { $0 += 1 }
      case .take: test.store.takes.withLock { $0 += 1 }
      case .invalidate: await test.cache.invalidate(changed: [.all(of: Album.self)])
      }
    }

    func settle() async throws {
      for (title, write) in pending {
        do {
          try await write.outcome()
          titles.insert(title)
        } catch KinshipError.misuse(.readOnlyStore) {
          // It was refused.
        } catch KinshipError.exists {
          // Its id was taken.
        }
      }
      pending = []
    }

    func verify() async throws {
      let albums = try await test.store.memory.fetch(RecordQuery<Album>())
        .filter { $0.title != "somebody else's" }
      try verifyEqual(albums.map(\.title).sorted(), titles.sorted(), "the albums that are stored")
      for song in try await test.store.memory.fetch(RecordQuery<Song>()) {
        let album = test.store.memory[song.album]
        try KinshipTesting.verify(
          album.map { song.name.hasPrefix($0.title + " ") } == true,
          "\(song) is on \(String(describing: album))")
        try verifyEqual(test.cache.peek(song.ref) ?? song, song, "what memory has")
      }
    }
  }
}

extension Lock<Int> {
  /// Whether there was another one.
  fileprivate func takeOne() -> Bool {
    withLock { count in
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }
}
