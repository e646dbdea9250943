import Foundation
import KinshipTestSupport

@testable import Kinship

/// A small family in a cache, and a disk for its snapshots.
struct SnapshotLab {
  static let path = "/d/family.kinship"
  /// The coders for snapshots.
  static let coders: [any RecordCoder] = [.compact, .json]
  /// The time of snapshots, unless a test sets another.
  static let moment = Date(timeIntervalSince1970: 1_800_000_000)

  let disk: SimulatedDisk
  let cache: GraphCache

  /// Fills a cache.
  ///
  /// - Parameter count: The number of persons. There are half as many places.
  /// - Throws: Any error of the cache or the disk.
  init(count: Int = 12) async throws {
    disk = SimulatedDisk()
    _ = try disk.openDirectory("/d", creating: true)
    cache = try Self.emptyCache()
    for number in 0..<count {
      try await cache.put(
        TestPerson(
          id: number, name: "Person \(number)", father: number > 0 ? Ref(number / 2) : nil,
          children: (0..<number % 3).map { Ref($0) }, events: [Ref(number)]))
      if number.isMultiple(of: 2) {
        try await cache.put(TestPlace(id: number, name: "Place “\(number)”"))
      }
    }
    _ = await cache[Ref<TestPerson>(count / 2)]
  }

  /// A cache of the same types, over a store without records.
  static func emptyCache(capacity: Int = .max) throws -> GraphCache {
    try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self,
      store: MemoryStore(), capacity: capacity)
  }

  /// Takes a snapshot.
  @discardableResult
  func save(
    coder: any RecordCoder = .compact, in files: (any FileSystem)? = nil, requiresAll: Bool = false,
    progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> SnapshotReport {
    try await cache.snapshot(
      to: Self.path, in: files ?? disk, at: Self.moment, coder: coder, requiresAll: requiresAll,
      progress: progress)
  }

  /// Restores the snapshot on a disk into a cache.
  @discardableResult
  static func restore(
    into cache: GraphCache, from files: any FileSystem, after elapsed: TimeInterval = 0,
    _ options: RestoreOptions = RestoreOptions(),
    progress: (@Sendable (SnapshotProgress) throws -> Void)? = nil
  ) async throws -> GraphCache.RestoreReport {
    try await cache.restore(
      from: path, in: files, at: moment + elapsed, options, progress: progress)
  }

  /// The bytes of the snapshot.
  var bytes: [UInt8] { disk.files(in: "/d")["family.kinship"] ?? [] }

  /// A disk with a snapshot of some bytes.
  static func disk(_ bytes: [UInt8]) -> SimulatedDisk {
    let disk = SimulatedDisk()
    disk.put(bytes, "family.kinship", in: "/d")
    return disk
  }
}

/// The contents of a cache of the small family, for comparison.
struct FamilyContents: Hashable, Sendable {
  var order: [AnyRef] = []
  var persons: [Int: TestPerson] = [:]
  var places: [Int: TestPlace] = [:]

  init(of cache: GraphCache) async {
    order = await cache.hottest(.max)
    for ref in order {
      if let ref = ref.as(TestPerson.self) { persons[ref.id] = cache.peek(ref) }
      if let ref = ref.as(TestPlace.self) { places[ref.id] = cache.peek(ref) }
    }
  }

  /// Whether the other contents include all of these, unchanged and, unless the order does not
  /// matter, in the same order.
  func isPart(of other: FamilyContents, ordered isOrdered: Bool = true) -> Bool {
    let kept = Set(order)
    return (!isOrdered || order == other.order.filter { kept.contains($0) })
      && persons.allSatisfy { other.persons[$0] == $1 }
      && places.allSatisfy { other.places[$0] == $1 }
  }
}
