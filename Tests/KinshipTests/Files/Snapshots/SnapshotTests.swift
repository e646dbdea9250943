import Foundation
import KinshipFoundation
import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
@testable import KinshipTrials

/// Law F1: restoring a snapshot gives the same records, in the same order.
@Suite(.tags(.lawF1))
struct SnapshotTests {
  @Test(arguments: SnapshotLab.coders)
  func `a snapshot restores the saved records`(coder: any RecordCoder) async throws {
    let lab = try await SnapshotLab(count: 3_000)
    let saved = try await lab.save(coder: coder)
    #expect(saved.records == 4_500)
    #expect(saved.size == lab.bytes.count)
    #expect(saved.failures.isEmpty)
    let cache = try SnapshotLab.emptyCache()
    let report = try await SnapshotLab.restore(into: cache, from: lab.disk, after: 60)
    #expect(report.restored == 4_500)
    #expect(!report.isFull)
    #expect(report.age == .seconds(60))
    #expect(await FamilyContents(of: cache) == FamilyContents(of: lab.cache))
    #expect(await cache.audit().isEmpty)
    let age = cache.age(of: Ref<TestPerson>(1))
    #expect(age.map { $0 >= .seconds(60) && $0 < .seconds(3_600) } == true)
  }

  @Test func `saving and restoring report their progress`() async throws {
    let lab = try await SnapshotLab(count: 3_000)
    let told = Shared<[SnapshotProgress]>([])
    func verify(_ total: Int) {
      let progress = told.value
      #expect(progress.count > 2)
      #expect(progress.allSatisfy { $0.total == total })
      #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
      #expect(progress.first?.completed == 0 && progress.last?.completed == total)
    }
    let report = try await lab.save { progress in told.change { $0.append(progress) } }
    verify(4_500)
    told.change { $0 = [] }
    try await SnapshotLab.restore(into: SnapshotLab.emptyCache(), from: lab.disk) { progress in
      told.change { $0.append(progress) }
    }
    verify(report.size)
  }

  @Test func `saving and restoring can report to a Progress and be cancelled`() async throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "family.kinship")
    let lab = try await SnapshotLab(count: 3_000)
    let saving = Progress(totalUnitCount: 1)
    let report = try await lab.cache.snapshot(to: url, progress: saving)
    #expect(saving.totalUnitCount == 4_500)
    #expect(saving.completedUnitCount == 4_500)
    let restoring = Progress(totalUnitCount: 1)
    try await SnapshotLab.emptyCache().restore(from: url, progress: restoring)
    #expect(restoring.totalUnitCount == Int64(report.size))
    #expect(restoring.completedUnitCount == Int64(report.size))
    restoring.cancel()
    await #expect(throws: CancellationError.self) {
      try await lab.cache.snapshot(to: url, progress: restoring)
    }
    await #expect(throws: CancellationError.self) {
      try await SnapshotLab.emptyCache().restore(from: url, progress: restoring)
    }
  }

  @Test func `an empty cache has a snapshot`() async throws {
    let lab = try await SnapshotLab(count: 0)
    #expect(try await lab.save().records == 0)
    let report = try await SnapshotLab.restore(into: lab.cache, from: lab.disk)
    #expect(report.restored == 0)
  }

  @Test func `missing refs and leases are restored`() async throws {
    let lab = try await SnapshotLab()
    #expect(try await lab.cache.find(Ref<TestSource>("unknown")) == nil)
    let home = lab.cache.lease([Ref<TestPerson>(1), 2], named: "home")
    let places = lab.cache.lease([Ref<TestPlace>(4)], named: "home")
    let other = lab.cache.lease([Ref<TestSource>("later")], named: "other")
    defer { withExtendedLifetime([home, places, other]) {} }
    #expect(try await lab.save().missing == 1)

    let store = ScriptedStore(over: MemoryStore())
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, TestSource.self, store: store)
    let report = try await SnapshotLab.restore(into: cache, from: lab.disk)
    #expect(report.leases.keys.sorted() == ["home", "other"])
    await cache.trim(to: 0)
    #expect(cache.peek(Ref<TestPerson>(1)) != nil)
    #expect(cache.peek(Ref<TestPerson>(2)) != nil)
    #expect(cache.peek(Ref<TestPlace>(4)) != nil)
    #expect(cache.peek(Ref<TestPerson>(3)) == nil)
    #expect(try await cache.find(Ref<TestSource>("unknown")) == nil)
    #expect(store.calls.isEmpty)
    for lease in report.leases.values { lease.end() }
    await cache.trim(to: 0)
    #expect(cache.peek(Ref<TestPerson>(1)) == nil)
  }

  @Test func `a small cache restores the most recently used records`() async throws {
    let lab = try await SnapshotLab(count: 3_000)
    try await lab.save()
    let cache = try SnapshotLab.emptyCache(capacity: 1_234)
    let report = try await SnapshotLab.restore(into: cache, from: lab.disk)
    #expect(report.restored == 1_234)
    #expect(report.isFull)
    let expected = await Array(lab.cache.hottest(1_234))
    #expect(await cache.hottest(.max) == expected)
  }

  @Test func `a restore does not replace newer records in memory`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    let cache = try SnapshotLab.emptyCache()
    try await cache.put(TestPerson(id: 3, name: "newer"))
    let report = try await SnapshotLab.restore(into: cache, from: lab.disk)
    #expect(report.known == 1)
    #expect(cache.peek(Ref<TestPerson>(3))?.name == "newer")
    #expect(await cache.hottest(1) == [AnyRef(Ref<TestPerson>(3))])
  }

  @Test func `a restore leaves out records past the maximum age`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    var options = RestoreOptions()
    options.maximumAge = .seconds(100)
    let cache = try SnapshotLab.emptyCache()
    let late = try await SnapshotLab.restore(into: cache, from: lab.disk, after: 1_000, options)
    #expect(late.restored == 0)
    #expect(late.outdated == 18)
    let early = try await SnapshotLab.restore(into: cache, from: lab.disk, after: 50, options)
    #expect(early.restored == 18)
    // If the clock was set back, no record becomes younger than new.
    let past = try await SnapshotLab.restore(
      into: SnapshotLab.emptyCache(), from: lab.disk, after: -1_000)
    #expect(past.age == .zero)
  }

  /// All records are changed repeatedly, each time at once: a snapshot shows one of the versions.
  @Test func `a snapshot shows one version during concurrent writes`() async throws {
    let lab = try await SnapshotLab(count: 2_000)
    let persons = (0..<2_000).map { Ref<TestPerson>($0) }
    let writer = Task {
      var turn = 0
      while !Task.isCancelled {
        turn += 1
        let name = "turn \(turn)"
        try await lab.cache.perform { cache in
          for ref in persons { try cache.update(ref) { $0.name = name } }
        }
        if turn.isMultiple(of: 3) { await lab.cache.evict(persons[turn % 2_000]) }
        await Task.yield()
      }
      return turn
    }
    for _ in 0..<5 {
      try await lab.save()
      let cache = try SnapshotLab.emptyCache()
      let report = try await SnapshotLab.restore(into: cache, from: lab.disk)
      let names = Set(persons.compactMap { cache.peek($0)?.name })
      #expect(names.count == 1 || !names.contains { $0.hasPrefix("turn") })
      #expect(report.restored > 2_000)
    }
    writer.cancel()
    #expect(try await writer.value > 0)
    #expect(await lab.cache.audit().isEmpty)
  }

  @Test func `the old snapshot stays until the new one is complete`() async throws {
    let lab = try await SnapshotLab()
    try await lab.save()
    let old = lab.bytes
    for most in [0, 17] {
      await #expect(throws: CancellationError.self) {
        try await lab.save { if $0.completed >= most { throw CancellationError() } }
      }
      #expect(lab.bytes == old)
    }
    await lab.cache.removeAll()
    let stop: @Sendable (SnapshotProgress) throws -> Void = { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await lab.save(progress: stop) }
    #expect(lab.disk.files(in: "/d") == ["family.kinship": old])
    await #expect(throws: CancellationError.self) {
      try await SnapshotLab.restore(into: lab.cache, from: lab.disk, progress: stop)
    }
    let task = Task { try await lab.save() }
    task.cancel()
    _ = await task.result
    try await SnapshotLab.restore(into: lab.cache, from: lab.disk)
  }

  @Test func `only the owner can read snapshot files`() async throws {
    let directory = try TemporaryDirectory()
    let lab = try await SnapshotLab()
    let url = directory.url.appending(path: "my family.kinship")
    try await lab.cache.snapshot(to: url)
    #expect(try TemporaryDirectory.permissions(url.path(percentEncoded: false)) == 0o600)
    let cache = try SnapshotLab.emptyCache()
    #expect(try await cache.restore(from: url).restored == 18)
    #expect(await FamilyContents(of: cache) == FamilyContents(of: lab.cache))
  }
}
