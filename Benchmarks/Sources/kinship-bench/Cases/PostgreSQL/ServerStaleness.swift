import Kinship
import KinshipPostgreSQL
import KinshipSync

extension Case {
  static let serverStaleness = Case(
    "staleness",
    summary: "after a commit, how long \(Broadcast.processes) processes show what was before; ns",
    headline: "How long do other processes show what was before a commit?",
    sizeName: "commits/s",
    sizes: { $0 == .quick ? [100] : [10, 100, 1_000] }
  ) { rate, effort in
    let tracked = try LineageDatabase(.distinct(count: 1_000))
    try await tracked.track()
    let cache = try GraphCache(for: Ancestor.self, store: await tracked.store())
    let bare = try LineageDatabase(.distinct(count: 1_000))
    let (versions, bareVersions) = (Serial(), Serial())
    let count = effort == .quick ? rate / 2 : rate * 5

    func system(
      _ name: String, _ means: Watcher.Means, bars: [Quantile: Bar] = [:]
    ) -> System {
      System(name, quantiles: [.median, .p99, .max], bars: bars) {
        let broadcast = Broadcast(database: tracked, rate: rate, count: count)
        return try await broadcast.run(means, versions) { version in
          try await cache.write { tx in
            try tx.update(Ref<Ancestor>(Broadcast.id), \.place, to: "\(version)")
          }
        }
      }
    }
    return Comparison(
      size: rate,
      systems: [
        System("libpq, NOTIFY and SELECT", quantiles: [.median, .p99, .max]) {
          let broadcast = Broadcast(database: bare, rate: rate, count: count)
          return try await broadcast.run(.session, bareVersions) { version in
            try bare.session.execute(
              """
              BEGIN; UPDATE ancestor SET place = '\(version)' WHERE id = \(Broadcast.id);
              NOTIFY \(Watcher.channel); COMMIT
              """)
          }
        },
        system(
          "Kinship, in memory", .memory,
          bars: [.p99: .value(rate <= 100 ? 10e6 : 50e6), .max: .value(1e9)]),
        system("Kinship, to an observer", .observer),
      ])
  }

  static let serverCoherence = Case(
    "coherence", summary: "from when a server that crashed answers until a commit is shown; ns",
    sizeName: "records", sizes: { _ in [1_000] }
  ) { size, effort in
    let database = try LineageDatabase(.distinct(count: size))
    try await database.track()
    let store = try await database.store()
    let cache = try GraphCache(for: Ancestor.self, store: store)
    let following = cache.follow(store)
    try await store.catchUp()
    let ref = Ref<Ancestor>(1)
    let serial = Serial()

    return Comparison(
      size: size,
      systems: [
        System(
          "Kinship, following", quantiles: [.median, .max], bars: [.median: .value(200e6)]
        ) {
          var changes = cache.observe(ref).makeAsyncIterator()
          _ = try await changes.next()
          database.server.crash()
          // Wait until the cache has noticed the crash.
          while case .following = following.status { try await Task.sleep(for: .milliseconds(5)) }
          let session = try database.server.start()
          let watch = Stopwatch()
          let place = "place \(serial.next())"
          try session.execute("UPDATE ancestor SET place = '\(place)' WHERE id = \(ref.id)")
          var shown: String?
          while shown != place, watch.elapsed < .seconds(30) {
            do { shown = try await changes.next()?.value?.place } catch is KinshipError {}
          }
          // Memory was emptied, so the value may have been read before the cache has caught up.
          while watch.elapsed < .seconds(30) {
            if case .following = following.status { break }
            try await Task.sleep(for: .milliseconds(1))
          }
          return Sample(
            measurements: [watch.elapsed / .nanoseconds(1)],
            checks: [Check("commits shown", shown == place ? 1 : 0, expected: 1)])
        }
      ])
  }
}
