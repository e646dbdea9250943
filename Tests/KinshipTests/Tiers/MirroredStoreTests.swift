import Foundation
import Kinship
import KinshipTestSupport
import KinshipTestTraits
import KinshipTesting
import KinshipTiers
import KinshipTrials
import Testing

/// Two stores of which one follows the writes of the other, until they change places.
@Suite(.dedicatedThreads)
struct MirroredStoreTests {
  /// Passes all checks before and after the stores have changed places.
  @Test(arguments: StoreConformance.Check.allCases, [false, true])
  func `a mirrored store conforms`(to check: StoreConformance.Check, isSwitched: Bool) async throws
  {
    try await StoreConformance { contents in
      let store = MirroredStore(
        reading: MemoryStore(), mirroring: MemoryStore(), types: StoreContents.recordTypes)
      try await store.apply(contents.insertions)
      if isSwitched {
        try await store.fill()
        try await store.switchOver()
      }
      return store
    }.run(check)
  }

  @Test(arguments: StoreConformance.Check.allCases)
  func `a store conforms whatever its mirror does`(to check: StoreConformance.Check) async throws {
    try await StoreConformance { contents in
      let mirror = ScriptedStore(
        over: MemoryStore(), script: .random(StoreFaults(yields: 1, failure: 0.2, loss: 0.2)))
      let store = MirroredStore(
        reading: MemoryStore(), mirroring: mirror, types: StoreContents.recordTypes)
      try await store.apply(contents.insertions)
      return store
    }.run(check)
  }

  @Test func `both stores have what a dictionary has`() async throws {
    try await MirrorTrial.check(seeds: 400)
  }

  @Test func `records move to another store while others write`() async throws {
    try await MirrorTrialAtWork.check(records: 20_000)
  }

  private static let people = (0..<4).map { TestPerson(id: $0, name: "\($0)") }

  @Test func `a mirror that lacks records cannot lead`() async throws {
    let store = MirroredStore(
      reading: MemoryStore(Self.people), mirroring: MemoryStore(), types: [TestPerson.self])
    let error = await #expect(throws: MirroredStore.NotFilled.self) { try await store.switchOver() }
    #expect(error?.types == ["TestPerson"])
    #expect(
      error?.localizedDescription
        == "The mirror may lack records of TestPerson. Call `fill()` before `switchOver()`.")
    #expect(try await store.differences().count == 4)
    try await store.fill()
    try await store.switchOver()
    #expect(try await store.fetch(RecordQuery<TestPerson>()).count == 4)
  }

  @Test func `a change of a type that is not mirrored is refused`() async throws {
    let store = MirroredStore(
      reading: MemoryStore(), mirroring: MemoryStore(), types: [TestPlace.self])
    let changes = ChangeSet(inserting: Self.people)
    await #expect(throws: KinshipError.self) { try await store.apply(changes) }
    #expect(try await store.fetch(RecordQuery<TestPerson>()).isEmpty)
  }

  /// A store that also changes records that were not requested, and reports them.
  private struct Cascading: ForwardingStore {
    let memory: MemoryStore
    let reportsAll: Bool
    var base: any BackingStore { memory }

    func apply(_ changes: ChangeSet) async throws {
      try await memory.apply(changes)
      let other = TestPerson(id: 3, name: "changed")
      memory.insert([other])
      if reportsAll {
        changes.report(alsoChangedAllOf: TestPerson.self)
      } else {
        changes.report(alsoChanged: [AnyRef(other.ref)])
      }
    }
  }

  @Test(arguments: [false, true])
  func `what the leading store changes by itself reaches the mirror`(
    reportsAll: Bool
  ) async throws {
    let mirror = MemoryStore()
    let leader = Cascading(memory: MemoryStore(Self.people), reportsAll: reportsAll)
    let store = MirroredStore(reading: leader, mirroring: mirror, types: [TestPerson.self])
    try await store.fill()
    try await store.apply(ChangeSet(inserting: [TestPerson(id: 9, name: "new")]))
    #expect(store.status.isFilled == !reportsAll)
    if reportsAll {
      await #expect(throws: MirroredStore.NotFilled.self) { try await store.switchOver() }
      try await store.fill()
    }
    #expect(mirror[Ref<TestPerson>(3)]?.name == "changed")
    #expect(mirror[Ref<TestPerson>(9)] != nil)
    #expect(try await store.differences() == [])
    try await store.switchOver()
  }

  @Test func `an outage of the mirror is reported and made up for`() async throws {
    let memory = MemoryStore()
    let mirror = ScriptedStore(over: memory)
    let store = MirroredStore(
      reading: MemoryStore(Self.people), mirroring: mirror, types: [TestPerson.self])
    try await store.fill()
    mirror.follow(.always(StoreBehavior(failure: ScriptedFailure())))
    let cache = try GraphCache(
      for: TestPerson.self, TestEvent.self, TestPlace.self, store: store)
    try await cache.write { tx in try tx.update(Ref<TestPerson>(1), \.name, to: "one") }
    #expect(store.status.behind == 1 && store.status.failures == 1)
    #expect(store.status.lastFailure is ScriptedFailure)
    await #expect(throws: ScriptedFailure.self) { try await store.switchOver() }
    mirror.follow(.plain)
    try await cache.write { tx in try tx.update(Ref<TestPerson>(2), \.name, to: "two") }
    #expect(store.status.behind == 0 && memory[Ref<TestPerson>(1)]?.name == "one")
    try await store.switchOver()
    try await cache.write { tx in try tx.update(Ref<TestPerson>(3), \.name, to: "three") }
    #expect(memory[Ref<TestPerson>(3)]?.name == "three")
  }
}
