import Foundation
import Kinship

extension Case {
  static let liveQuery = Case(
    "live", summary: "a transaction of one update, while queries are observed; ns each",
    sizes: { effort in effort == .full ? [1_000, 100_000, 1_000_000] : [1_000, 10_000] }
  ) { size, _ in
    let observed = try await observedCache(size, others: 0)
    let crowd = try await observedCache(size, others: 1_000)
    let alone = try GraphCache(for: PlainSong.self)
    try await alone.put(contentsOf: (0..<size).map { PlainSong(id: $0, genre: $0) })
    let count = 200

    return Comparison(
      size: size,
      systems: [
        System("Kinship, the transaction alone") {
          let watch = Stopwatch()
          for number in 0..<count {
            try await alone.write { tx in
              try tx.update(Ref<PlainSong>(number), \.genre, to: number + size)
            }
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, a live query that is not touched", bar: .ratio(3)) {
          let watch = Stopwatch()
          for number in 0..<count {
            try await observed.cache.write { tx in
              try tx.update(Ref<PlainSong>(number), \.genre, to: number + 2 * size)
            }
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, a thousand live queries that are not touched") {
          let watch = Stopwatch()
          for number in 0..<count {
            try await crowd.cache.write { tx in
              try tx.update(Ref<PlainSong>(number), \.genre, to: number + 2 * size)
            }
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
        System("Kinship, a live query that changes", bar: .ratio(3)) {
          let watch = Stopwatch()
          for number in 0..<count {
            try await observed.cache.write { tx in
              try tx.update(Ref<PlainSong>(size - 1), \.genre, to: -1 - number)
            }
          }
          let elapsed = watch.elapsed
          while try await observed.next() != -count {}
          return Sample(elapsed, operations: count, checks: [])
        },
        System("Kinship, until the observer of such a query is told") {
          let watch = Stopwatch()
          for number in 0..<count {
            let value = -1_000 - number
            try await observed.cache.write { tx in
              try tx.update(Ref<PlainSong>(size - 1), \.genre, to: value)
            }
            while try await observed.next() != value {}
          }
          return Sample(watch.elapsed, operations: count, checks: [])
        },
      ])
  }

  /// A cache with an observer of negative values, and others of queries without results.
  private static func observedCache(_ size: Int, others: Int) async throws -> ObservedSongs {
    let cache = try GraphCache(for: PlainSong.self)
    try await cache.put(contentsOf: (0..<size).map { PlainSong(id: $0, genre: $0) })
    return try await ObservedSongs(cache, others: others)
  }
}

/// A cache with live queries.
actor ObservedSongs {
  nonisolated let cache: GraphCache
  private let changes: AsyncStream<Int>
  private let tasks: [Task<Void, any Error>]

  init(_ cache: GraphCache, others: Int) async throws {
    self.cache = cache
    let (changes, told) = AsyncStream.makeStream(of: Int.self)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<others {
      let never = -1_000_000 - number
      tasks.append(
        Task {
          let query = RecordQuery<PlainSong>(#Predicate { $0.genre == never })
          for try await _ in cache.observe(query) { begin.yield() }
        })
    }
    tasks.append(
      Task {
        let query = RecordQuery<PlainSong>(#Predicate { $0.genre < 0 }).sorted(by: \.genre)
        for try await change in cache.observe(query) {
          begin.yield()
          if let first = change.value.first { told.yield(first.genre) }
        }
      })
    var iterator = begun.makeAsyncIterator()
    for _ in tasks { await iterator.next() }
    self.changes = changes
    self.tasks = tasks
  }

  deinit { for task in tasks { task.cancel() } }

  /// The next value of the observer.
  func next() async throws -> Int? {
    var iterator = changes.makeAsyncIterator()
    return await iterator.next()
  }
}
