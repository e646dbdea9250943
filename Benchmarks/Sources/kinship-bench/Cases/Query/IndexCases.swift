import Foundation
import Kinship
import KinshipFileStore

extension Case {
  static let hashIndex = Case(
    "index-equality", summary: "the thousand records of a value, by a hash index; ns a record",
    sizes: \.indexSizes
  ) { size, _ in
    let songs = (0..<size).map { Song(number: $0, of: size) }
    let byID = Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0) })
    let byGenre = Dictionary(grouping: songs.map(\.id)) { byID[$0]?.genre ?? 0 }
    let cache = try GraphCache(for: Song.self)
    try await cache.put(contentsOf: songs)
    let genres = (0..<max(1, size / 1_000)).shuffled().prefix(100)
    let queries = genres.map { genre in RecordQuery<Song>(#Predicate { $0.genre == genre }) }
    let database = try SongDatabase(songs)
    // The index is made by the first query.
    for query in queries { _ = try await cache.find(query) }
    let expected = genres.reduce(0) { $0 + (byGenre[$1]?.count ?? 0) }

    func sample(_ elapsed: Duration, _ count: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("found", count, expected: expected)])
    }
    return Comparison(
      size: size,
      systems: [
        System("Dictionary of ids, and of records") {
          let watch = Stopwatch()
          var count = 0
          for genre in genres {
            var found: [Song] = []
            for id in byGenre[genre] ?? [] { if let song = byID[id] { found.append(song) } }
            count += found.count
            blackHole(found.count)
          }
          return sample(watch.elapsed, count)
        },
        System("Kinship, a hash index", bar: .ratio(1.5)) {
          let watch = Stopwatch()
          var count = 0
          for query in queries {
            let found = try await cache.find(query)
            count += found.count
            blackHole(found.count)
          }
          return sample(watch.elapsed, count)
        },
        System("SQLite in memory, the same index") {
          let watch = Stopwatch()
          var count = 0
          for genre in genres {
            let found = try database.songs(of: genre)
            count += found.count
            blackHole(found.count)
          }
          return sample(watch.elapsed, count)
        },
      ])
  }

  static let orderedTop = Case(
    "index-top", summary: "the first 20 in an order; ns a query", sizes: \.indexSizes
  ) { size, _ in
    let songs = (0..<size).map { Song(number: $0, of: size) }
    let sorted = songs.sorted { $0.length < $1.length }
    let cache = try GraphCache(for: Song.self)
    try await cache.put(contentsOf: songs)
    let query = RecordQuery<Song>().sorted(by: \.length).limited(to: 20)
    _ = try await cache.find(query)
    let database = try SongDatabase(songs)

    func sample(_ elapsed: Duration, _ found: [Song]) -> Sample {
      Sample(
        elapsed, operations: 1_000,
        checks: [Check("last", found.last?.id ?? -1, expected: sorted[19].id)])
    }
    return Comparison(
      size: size,
      systems: [
        System("Array, sorted already") {
          var found: [Song] = []
          let watch = Stopwatch()
          for _ in 0..<1_000 {
            found = Array(sorted.prefix(20))
            blackHole(found.count)
          }
          return sample(watch.elapsed, found)
        },
        System("Kinship, an ordered index", bar: .value(5_000)) {
          var found: [Song] = []
          let watch = Stopwatch()
          for _ in 0..<1_000 {
            found = try await cache.find(query)
            blackHole(found.count)
          }
          return sample(watch.elapsed, found)
        },
        System("SQLite in memory, the same index") {
          var found: [Song] = []
          let watch = Stopwatch()
          for _ in 0..<1_000 {
            found = try database.shortest(20)
            blackHole(found.count)
          }
          return sample(watch.elapsed, found)
        },
      ])
  }

  static let orderedRange = Case(
    "index-range", summary: "a hundredth of the records, by a range; ns a record",
    sizes: \.indexSizes
  ) { size, _ in
    let songs = (0..<size).map { Song(number: $0, of: size) }
    let byID = Dictionary(uniqueKeysWithValues: songs.map { ($0.id, $0) })
    let sorted = songs.map { (length: $0.length, id: $0.id) }.sorted { $0.length < $1.length }
    let cache = try GraphCache(for: Song.self)
    try await cache.put(contentsOf: songs)
    let (lower, upper) = (size / 2, size / 2 + size / 100)
    let query = RecordQuery<Song>(#Predicate { $0.length >= lower && $0.length < upper })
    _ = try await cache.find(query)
    let database = try SongDatabase(songs)

    func sample(_ elapsed: Duration, _ count: Int) -> Sample {
      Sample(elapsed, operations: count, checks: [Check("found", count, expected: size / 100)])
    }
    return Comparison(
      size: size,
      systems: [
        System("sorted array, and Dictionary") {
          func place(of length: Int) -> Int {
            var (low, high) = (0, sorted.count)
            while low < high {
              let middle = (low + high) / 2
              if sorted[middle].length >= length { high = middle } else { low = middle + 1 }
            }
            return low
          }
          let watch = Stopwatch()
          var found: [Song] = []
          for index in place(of: lower)..<place(of: upper) {
            if let song = byID[sorted[index].id] { found.append(song) }
          }
          blackHole(found.count)
          return sample(watch.elapsed, found.count)
        },
        System("Kinship, an ordered index", bar: .ratio(2)) {
          let watch = Stopwatch()
          let found = try await cache.find(query)
          blackHole(found.count)
          return sample(watch.elapsed, found.count)
        },
        System("SQLite in memory, the same index") {
          let watch = Stopwatch()
          let found = try database.songs(from: lower, to: upper)
          blackHole(found.count)
          return sample(watch.elapsed, found.count)
        },
      ])
  }

  static let indexUpkeep = Case(
    "index-upkeep", summary: "what a hash index adds to a change; ns a change",
    sizes: \.indexSizes
  ) { size, _ in
    let genres = max(1, size / 100)
    let count = 10_000
    var generator = SplitMix64(seed: 1)
    let changes = (0..<count).map { _ in
      (
        id: Int.random(in: 0..<size, using: &generator),
        genre: Int.random(in: 0..<genres, using: &generator)
      )
    }
    var byGenre = Dictionary(grouping: 0..<size) { $0 % genres }
    var current = (0..<size).map { $0 % genres }
    let indexed = try GraphCache(for: HashedSong.self)
    let plain = try GraphCache(for: PlainSong.self)
    try await indexed.put(contentsOf: (0..<size).map { HashedSong(id: $0, genre: $0 % genres) })
    try await plain.put(contentsOf: (0..<size).map { PlainSong(id: $0, genre: $0 % genres) })
    let query = RecordQuery<HashedSong>(#Predicate { $0.genre == 0 })
    _ = try await indexed.find(query)

    return Comparison(
      size: size,
      systems: [
        System("Dictionary of arrays: a remove and an insert") {
          let watch = Stopwatch()
          for (id, genre) in changes {
            if let place = byGenre[current[id]]?.firstIndex(of: id) {
              byGenre[current[id]]?.remove(at: place)
            }
            byGenre[genre, default: []].append(id)
            current[id] = genre
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System(
          "Kinship, with a hash index less without", bar: .ratio(1.5),
          note: "Each change in place, in one call of perform."
        ) {
          let watch = Stopwatch()
          try await indexed.perform { cache in
            for (id, genre) in changes {
              try cache.update(Ref<HashedSong>(id), \.genre, to: genre)
            }
          }
          let elapsed = watch.elapsed
          let second = Stopwatch()
          try await plain.perform { cache in
            for (id, genre) in changes { try cache.update(Ref<PlainSong>(id), \.genre, to: genre) }
          }
          let without = second.elapsed
          let found = try await indexed.find(query.count)
          let expected = try await plain.find(
            RecordQuery<PlainSong>(#Predicate { $0.genre == 0 }).count)
          return Sample(
            elapsed - without, operations: count,
            checks: [Check("found", found, expected: expected)])
        },
      ])
  }

  static let fileIndex = Case(
    "index-files", summary: "a hundredth of a file store's records, by a range; ns a record",
    sizes: \.indexSizes
  ) { size, _ in
    let directory = try ScratchDirectory()
    let store = try await songStore(size, in: directory)
    let query = hundredth(of: size)
    let ids = try await store.fetch(query).map(\.id)

    func sample(_ elapsed: Duration, _ found: [Song]) -> Sample {
      Sample(
        elapsed, operations: found.count,
        checks: [Check("found", found.count, expected: size / 100)])
    }
    return Comparison(
      size: size,
      systems: [
        System("FileStore, these records by their ids") {
          let watch = Stopwatch()
          let found = try await store.fetch(Song.self, ids: ids)
          return sample(watch.elapsed, found)
        },
        System("FileStore, an ordered index", bar: .ratio(2)) {
          let watch = Stopwatch()
          let found = try await store.fetch(query)
          return sample(watch.elapsed, found)
        },
      ])
  }

  static let fileIndexMaking = Case(
    "index-files-first",
    summary: "the first query of a file store after it was opened; ns a record held",
    sizes: \.indexSizes
  ) { size, _ in
    let directory = try ScratchDirectory()
    try await songStore(size, in: directory).close()
    let query = hundredth(of: size)

    func first(_ name: String, _ query: RecordQuery<Song>, expected: Int) -> System {
      System(name) {
        let store = try await openSongStore(in: directory)
        let watch = Stopwatch()
        let found = try await store.fetch(query).count
        let elapsed = watch.elapsed
        try await store.close()
        return Sample(
          elapsed, operations: size, checks: [Check("found", found, expected: expected)])
      }
    }
    return Comparison(
      size: size,
      systems: [
        first("FileStore, all of its records", RecordQuery(), expected: size),
        first("FileStore, a hundredth of them: the indexes are made", query, expected: size / 100),
      ])
  }

  private static func openSongStore(in directory: ScratchDirectory) async throws -> FileStore {
    try await FileStore(
      at: directory.url.appending(path: "store"), schema: try GraphSchema(Song.self),
      durability: .system)
  }

  /// A file store of songs.
  private static func songStore(
    _ size: Int, in directory: ScratchDirectory
  ) async throws -> FileStore {
    let store = try await openSongStore(in: directory)
    for start in stride(from: 0, to: size, by: 100_000) {
      let cache = try GraphCache(for: Song.self)
      let songs = (start..<min(size, start + 100_000)).map { Song(number: $0, of: size) }
      try await store.apply(
        try await cache.write { tx in for song in songs { try tx.insert(song) } })
    }
    return store
  }

  /// A query for a hundredth of the songs.
  private static func hundredth(of size: Int) -> RecordQuery<Song> {
    let (lower, upper) = (size / 2, size / 2 + size / 100)
    return RecordQuery(#Predicate { $0.length >= lower && $0.length < upper })
  }
}

extension Effort {
  var indexSizes: [Int] {
    switch self {
    case .full: [100_000, 1_000_000]
    case .quick: [10_000]
    }
  }
}
