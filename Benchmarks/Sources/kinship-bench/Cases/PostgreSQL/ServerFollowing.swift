import Kinship
import KinshipPostgreSQL
import KinshipSync

extension Case {
  static let followingPeek = following(
    "following-peek", summary: "peek at each record while a store is followed; ns a read"
  ) { cache, refs in
    var births = 0.0
    for ref in refs { births += cache.peek(ref)?.birth ?? 0 }
    return (births, refs.count)
  }

  static let followingResolve = following(
    "following-resolve", summary: "resolve records; ns a read"
  ) { cache, refs in
    var births = 0.0
    let some = refs.prefix(20_000)
    for ref in some { births += try await cache.resolve(ref).birth }
    return (births, some.count)
  }

  static let followingGraph = following(
    "following-graph", summary: "graphs of 1,023 persons; ns a graph"
  ) { cache, refs in
    let plan = Plan<Ancestor>.following(\.father, \.mother, generations: 9)
    var persons = 0
    for _ in 0..<50 { persons += try await cache.graph(of: refs[0], plan).count }
    return (Double(persons), 50)
  }

  /// Warm reads of a cache that follows a store, beside those of one that does not.
  private static func following(
    _ name: String, summary: String,
    _ read: @escaping @Sendable (GraphCache, [Ref<Ancestor>]) async throws -> (Double, Int)
  ) -> Case {
    Case(name, summary: summary, sizes: { $0 == .quick ? [10_000] : [100_000] }) { size, effort in
      let lineage = Lineage.distinct(count: size)
      let database = try LineageDatabase(lineage)
      try await database.track()
      let store = try await database.store()
      let caches = try (0..<2).map { _ in try GraphCache(for: Ancestor.self, store: store) }
      let following = caches[1].follow(store)
      try await store.catchUp()
      for cache in caches { _ = try await cache.find(RecordQuery<Ancestor>()) }
      // The root is the first.
      let refs = lineage.records.map(\.ref)
      let expected = try await read(caches[0], refs).0

      func system(_ name: String, bar: Bar? = nil, _ cache: GraphCache) -> System {
        System(name, bar: bar) {
          let watch = Stopwatch()
          let (sum, count) = try await read(cache, refs)
          let elapsed = watch.elapsed
          var isFollowing = false
          if case .following = following.status { isFollowing = true }
          return Sample(
            elapsed, operations: count,
            checks: [
              Check("sum", Int(sum), expected: Int(expected)),
              Check("caches that follow", isFollowing ? 1 : 0, expected: 1),
              Check("servers", try database.session.number("SELECT 1"), expected: 1),
            ])
        }
      }
      return Comparison(
        size: size,
        systems: [
          system("Kinship, not following", caches[0]),
          system("Kinship, following", bar: .ratio(1.05), caches[1]),
        ])
    }
  }
}
