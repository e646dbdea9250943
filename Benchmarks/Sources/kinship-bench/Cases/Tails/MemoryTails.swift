import Foundation
import Kinship

extension Case {
  static let idleTail = tail("idle", while: "while nothing is done") { size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  static let referrersTail = tail("referrers", while: "when it is first asked who refers to one") {
    size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) {
      _ = try await cache.find(Ref<Person>(1).related(Inverse<Person, Person>(\.children)))
    }
  }

  static let coldestTail = tail("coldest", while: "while all are named in the order of their use") {
    size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) { _ = await cache.coldest(size) }
  }

  static let queryTail = tail("query", while: "while a query finds all") { size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) {
      _ = try await cache.find(RecordQuery<Person>(#Predicate { $0.id >= 0 }))
    }
  }

  static let countTail = tail("count", while: "while those that match a query are counted") {
    size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) {
      _ = try await cache.find(RecordQuery<Person>(#Predicate { $0.id >= 0 }).count)
    }
  }

  static let leaseTail = tail("lease", while: "while all are leased") { size in
    let cache = try await filled(size)
    let refs = (0..<size).map { Ref<Person>($0) }
    return Interruption(of: Ref<Person>(0), in: cache) {
      let lease = cache.lease(refs)
      withExtendedLifetime(lease) {}
    }
  }

  static let leaseEndTail = tail("lease-end", while: "while the lease of all ends") { size in
    let cache = try await filled(size)
    let lease = cache.lease((0..<size).map { Ref<Person>($0) })
    return Interruption(of: Ref<Person>(0), in: cache) { lease.end() }
  }

  static let removeAllTail = tail("remove-all", while: "while all are removed") { size in
    let cache = try await filled(size)
    return Interruption(of: Ref<Person>(0), in: cache) { await cache.removeAll() }
  }

  static let removeAllInSnapshotTail = tail(
    "remove-all-in-snapshot", while: "while all are removed, and a snapshot is taken"
  ) { size in
    let file = try await SnapshotFile(Population<Person>(count: size).records)
    return Interruption(of: Ref<Person>(0), in: file.cache) {
      async let snapshot = file.save(.compact)
      try await Task.sleep(for: .milliseconds(20))
      await file.cache.removeAll()
      _ = try await snapshot
    }
  }

  static let trimTail = tail("trim", while: "while all but that one are evicted") { size in
    let cache = try await filled(size)
    let lease = cache.lease([Ref<Person>(0)])
    return Interruption(of: Ref<Person>(0), in: cache) {
      await cache.trim(to: 0)
      withExtendedLifetime(lease) {}
    }
  }

  static let trimListenerTail = tail(
    "trim-listener", while: "while all but that one are evicted, and somebody is told"
  ) { size in
    let cache = try await filled(size)
    let lease = cache.lease([Ref<Person>(0)])
    let subscription = cache.onRemoval { _ in }
    return Interruption(of: Ref<Person>(0), in: cache) {
      await cache.trim(to: 0)
      withExtendedLifetime((lease, subscription)) {}
    }
  }

  static let putTail = tail("put", while: "while records are put, one by one") { size in
    let records = Population<Person>(count: size).records
    let cache = try GraphCache(for: Person.self)
    try await cache.put(records[0])
    return Interruption(of: Ref<Person>(0), in: cache) {
      for record in records { try await cache.put(record) }
    }
  }

  static let putManyTail = tail("put-many", while: "while records are put, in one call") { size in
    let records = Population<Person>(count: size).records
    let cache = try GraphCache(for: Person.self)
    try await cache.put(records[0])
    return Interruption(of: Ref<Person>(0), in: cache) {
      try await cache.put(contentsOf: records)
    }
  }

  static let restoreTail = tail("restore", while: "while a snapshot is restored") { size in
    let file = try await SnapshotFile(Population<Person>(count: size).records)
    try await file.save(.compact)
    let cache = try GraphCache(for: Person.self)
    try await cache.put(Population<Person>(count: 1).records[0])
    return Interruption(of: Ref<Person>(0), in: cache) {
      _ = try await cache.restore(from: file.url(.compact))
    }
  }

  static let snapshotTail = tail("snapshot", while: "while a snapshot is taken, amid writes") {
    size in
    let file = try await SnapshotFile(Population<Person>(count: size).records)
    return Interruption(of: Ref<Person>(0), in: file.cache) {
      let isOver = Flag()
      let writer = Task {
        var number = 0
        while !isOver.isRaised {
          try await file.cache.update(Ref<Person>(number % size), \.place, to: "Windsor")
          number += 1
        }
      }
      try await file.save(.compact)
      isOver.raise()
      try await writer.value
    }
  }

  static func filled(
    _ size: Int, over store: (any BackingStore)? = nil
  ) async throws -> GraphCache {
    let cache = try GraphCache(for: Person.self, store: store)
    try await cache.put(contentsOf: Population<Person>(count: size).records)
    return cache
  }
}
