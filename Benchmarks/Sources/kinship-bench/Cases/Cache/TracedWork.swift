import Kinship
import KinshipDiagnostics

extension Case {
  static let tracing = Case(
    "tracing",
    summary: "a transaction of one update over a store in memory, which is three pieces of work"
  ) { size, effort in
    let count = effort.operations(2_000)
    let records = (0..<size).map { PlainSong(id: $0, genre: $0) }

    func system(_ name: String, _ tracing: Tracing) async throws -> System {
      let cache = try GraphCache(
        for: PlainSong.self, store: MemoryStore(records), tracing: tracing)
      try await cache.put(contentsOf: records)
      let genres = Counter(size)
      return System(name) {
        let first = await genres.next(count)
        let watch = Stopwatch()
        for number in 0..<count {
          try await cache.write { tx in
            try tx.update(Ref<PlainSong>(number % size), \.genre, to: first + number)
          }
        }
        let elapsed = watch.elapsed
        let last = cache.peek(Ref<PlainSong>((count - 1) % size))?.genre
        let work = await cache.report().work.count
        return Sample(
          elapsed, operations: count,
          checks: [
            Check("the last update", last ?? 0, expected: first + count - 1),
            Check("kinds of work", work, expected: name == "not traced" ? 0 : 3),
          ])
      }
    }
    return Comparison(
      size: size,
      systems: [try await system("not traced", .off), try await system("traced", .on)])
  }
}

/// Numbers that no round has had.
private actor Counter {
  private var last: Int
  init(_ first: Int) { last = first }
  func next(_ count: Int) -> Int {
    defer { last += count }
    return last
  }
}
