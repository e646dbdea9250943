import Kinship
import KinshipPostgreSQL
import KinshipSync

extension Case {
  static let serverCommit = commit(
    "commit", summary: "one changed record to a server that syncs; ns a commit", .synced)

  static let serverCommitUnsynced = commit(
    "commit-unsynced", summary: "the same to one that does not", .none)

  /// Commits of one record, without a log of changes, with one, and with a cache that follows it.
  private static func commit(
    _ name: String, summary: String, _ durability: DatabaseServer.Durability
  ) -> Case {
    Case(name, summary: summary, sizes: { _ in [10_000] }) { size, effort in
      let bare = try LineageDatabase(.distinct(count: size), durability)
      let tracked = try LineageDatabase(.distinct(count: size), durability)
      try await tracked.track()
      let silent = try await tracked.store(notifies: false)
      let caches = try await [bare.store(), silent, tracked.store()].map {
        try GraphCache(for: Ancestor.self, store: $0)
      }
      let followed = try await tracked.store()
      let follower = try GraphCache(for: Ancestor.self, store: followed)
      let serial = Serial()
      let passes = effort.operations(1_000)

      func system(
        _ name: String, bar: Bar? = nil, _ cache: GraphCache, isFollowed: Bool = false
      ) -> System {
        System(name, bar: bar) {
          let following = isFollowed ? follower.follow(followed) : nil
          defer { following?.end() }
          if isFollowed { try await followed.catchUp() }
          let watch = Stopwatch()
          for number in 1...passes {
            let place = "place \(serial.next())"
            try await cache.write { tx in
              try tx.update(Ref<Ancestor>(number % size + 1), \.place, to: place)
            }
          }
          let elapsed = watch.elapsed
          let shown = try bare.session.number("SELECT 1") + tracked.session.number("SELECT 1")
          return Sample(
            elapsed, operations: passes, checks: [Check("servers", shown, expected: 2)])
        }
      }
      return Comparison(
        size: size,
        systems: [
          system("Kinship", caches[0]),
          system("Kinship, tracked", bar: .ratio(1.25), caches[1]),
          system("Kinship, tracked, notifies", bar: .ratio(1.25), caches[2]),
          system(
            "Kinship, tracked, notifies, followed here", caches[2], isFollowed: true),
        ])
    }
  }

  static let serverWriters = writers(
    "writers", summary: "8 writers at once to a server that syncs; ns a commit", .synced)

  static let serverSlowWriters = writers(
    "slow-writers", summary: "the same, each sync 5 ms longer", .slow(5))

  /// Commits of many writers: a notification must not make them wait for each other.
  private static func writers(
    _ name: String, summary: String, _ durability: DatabaseServer.Durability
  ) -> Case {
    Case(name, summary: summary, sizeName: "writers", sizes: { _ in [8] }) { writers, effort in
      let database = try LineageDatabase(.distinct(count: 1_000), durability)
      try await database.track()
      let serialised = try LineageDatabase(.distinct(count: 1_000), durability)
      try await serialised.track()
      try serialised.session.execute(
        """
        CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql
        AS $$BEGIN PERFORM pg_notify('kinship', ''); RETURN NULL; END$$;
        CREATE TRIGGER tell AFTER UPDATE ON ancestor FOR EACH STATEMENT EXECUTE FUNCTION tell()
        """)
      let passes = effort.operations(500)

      func system(
        _ name: String, bar: Bar? = nil, in database: LineageDatabase, notifies: Bool
      ) async throws -> System {
        var caches: [GraphCache] = []
        for _ in 0..<writers {
          let store = try await database.store(notifies: notifies)
          caches.append(try GraphCache(for: Ancestor.self, store: store))
        }
        let (all, serial) = (caches, Serial())
        return System(name, bar: bar) {
          let number = serial.next()
          let watch = Stopwatch()
          try await withThrowingTaskGroup { group in
            for (writer, cache) in all.enumerated() {
              group.addTask {
                for pass in 1...passes {
                  try await cache.write { tx in
                    try tx.update(Ref<Ancestor>(writer + 1), \.place, to: "\(number) \(pass)")
                  }
                }
              }
            }
            try await group.waitForAll()
          }
          let elapsed = watch.elapsed
          let places = try database.session.number(
            "SELECT count(*) FROM ancestor WHERE place = '\(number) \(passes)'")
          return Sample(
            elapsed, operations: passes * writers,
            checks: [Check("writers", places, expected: writers)])
        }
      }
      return Comparison(
        size: writers,
        systems: [
          try await system("Kinship, without notifications", in: database, notifies: false),
          try await system(
            "Kinship, with notifications", bar: .ratio(1 / 0.95), in: database, notifies: true),
          try await system("Kinship, NOTIFY by a trigger", in: serialised, notifies: false),
        ])
    }
  }
}
