import Kinship
import KinshipTestSupport

/// Every version of a world that a store has contained and a cache shows.
final class Versions: Sendable {
  /// The present records.
  let memory = MemoryStore()
  private let worlds: Lock<[[Key: Entry]]>

  init(_ world: [Key: Entry]) {
    worlds = Lock([world])
    for (key, entry) in world { write(key, entry) }
  }

  /// All versions, the oldest first.
  var all: [[Key: Entry]] { worlds.withLock(\.self) }

  /// The latest version.
  var latest: [Key: Entry] { worlds.withLock { $0.last ?? [:] } }

  /// The number of versions.
  var count: Int { worlds.withLock(\.count) }

  /// Adds a version, after the latest or in its place.
  func append(_ world: [Key: Entry], replacing: Bool = false) {
    worlds.withLock { worlds in
      if replacing { worlds.removeLast() }
      worlds.append(world)
    }
  }

  /// Writes to the store and the cache at once; `nil` deletes.
  func commit(_ changes: [Key: Entry?], to cache: isolated GraphCache) throws {
    worlds.withLock { worlds in
      var world = worlds.last ?? [:]
      for (key, entry) in changes { world[key] = entry }
      worlds.append(world)
    }
    for (key, entry) in changes.sorted(by: { $0.key < $1.key }) {
      write(key, entry)
      switch key.kind {
      case .author: try commit(Author<Int>.self, key.number, entry, to: cache)
      case .work: try commit(Work<Int>.self, key.number, entry, to: cache)
      }
    }
  }

  /// Writes to the store alone, and invalidates the record in the cache; `nil` deletes.
  func commit(_ key: Key, _ entry: Entry?, invalidating cache: isolated GraphCache) {
    worlds.withLock { worlds in
      var world = worlds.last ?? [:]
      world[key] = entry
      worlds.append(world)
    }
    write(key, entry)
    switch key.kind {
    case .author: cache.invalidate(Author<Int>.ref(key.number))
    case .work: cache.invalidate(Work<Int>.ref(key.number))
    }
  }

  private func commit<R: LibraryRecord>(
    _ type: R.Type, _ number: Int, _ entry: Entry?, to cache: isolated GraphCache
  ) throws {
    if let entry { try cache.put(R(number, entry)) } else { cache.remove(R.ref(number)) }
  }

  private func write(_ key: Key, _ entry: Entry?) {
    switch (key.kind, entry) {
    case (.author, let entry?): memory.insert([Author<Int>(key.number, entry)])
    case (.work, let entry?): memory.insert([Work<Int>(key.number, entry)])
    case (.author, nil): memory.remove(Author<Int>.ref(key.number))
    case (.work, nil): memory.remove(Work<Int>.ref(key.number))
    }
  }
}
