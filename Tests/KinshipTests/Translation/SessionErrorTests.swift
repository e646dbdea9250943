import KinshipTestSupport
import KinshipTestTraits
import Testing

@testable import Kinship
import KinshipTranslation

/// A session classifies its errors as rejections and outages, as a store does.
@Suite(.dedicatedThreads)
struct SessionErrorTests {
  private struct Invalid: Error {}
  private struct Unreachable: Error {}
  private struct Refused: Error {}

  /// A session that classifies its errors.
  private struct TellingSession: ModelSession {
    let base: FamilySession

    func read<Answer: Sendable>(
      _ body: @escaping @Sendable (FamilyContext) throws -> Answer
    ) async throws -> Answer { try await base.read(body) }

    func write<Answer: Sendable>(
      _ body: @escaping @Sendable (FamilyContext) throws -> Answer
    ) async throws -> Answer { try await base.write(body) }

    func classify(_ error: any Error) -> ModelErrorClass {
      switch error {
      case is Invalid: .refusal
      case is Unreachable: .outage
      case is Refused: .outageBeforeWriting
      default: .defect
      }
    }
  }

  private let base = FamilySession()
  private let ref: Ref<TestPlace> = 7

  private func cache(over store: some BackingStore) async throws -> GraphCache {
    try await store.apply(ChangeSet(inserting: [TestPlace(id: 7, name: "A")]))
    let cache = try GraphCache(for: TestPlace.self, store: store)
    _ = try await cache.resolve(ref)
    return cache
  }

  @Test(arguments: [true, false])
  func `a rejection leaves memory as it was`(isTold: Bool) async throws {
    let cache =
      isTold
      ? try await cache(over: TranslatingStore(TellingSession(base: base), PlaceModel.mapping))
      : try await cache(over: TranslatingStore(base, PlaceModel.mapping))
    await base.failCommits(with: Invalid())
    await #expect(throws: KinshipError.self) {
      try await cache.write { [ref] tx in try tx.update(ref, \.name, to: "") }
    }
    // Without the session's classification, the outcome is unknown.
    #expect(cache.peek(ref)?.name == (isTold ? "A" : nil))
    #expect(try await cache.resolve(ref).name == "A")
    // The package's own errors need no closure to be rejections.
    await #expect(throws: KinshipError.self) {
      try await cache.write { [ref] tx in
        try tx.update(ref, \.name, to: "B")
        try tx.insert(TestPlace(id: 8, name: "C", region: 99))
      }
    }
    #expect(cache.peek(ref)?.name == "A")
  }

  @Test func `a write waits in the queue for the end of an outage`() async throws {
    let store = try TranslatingStore(TellingSession(base: base), PlaceModel.mapping)
    let cache = try await cache(over: store)
    let disk = SimulatedDisk()
    disk.put([], "x", in: "/d")
    let queue = try await OfflineQueue(in: disk, at: "/d", schema: cache.schema)
    _ = try await cache.resume(queue)
    await base.failCommits(with: Unreachable())
    let pending = try await cache.writeOptimistically { [ref] tx in
      try tx.update(ref, \.name, to: "B")
    }
    await #expect(throws: KinshipError.self) { try await cache.sendQueuedWrites() }
    #expect(pending.isPending && cache.peek(ref)?.name == "B")
    await base.failCommits(with: nil)
    try await cache.sendQueuedWrites()
    try await pending.outcome()
    #expect(try await store.fetch(TestPlace.self, ids: [7]).map(\.name) == ["B"])
    await queue.close()
  }

  /// A translator may have to load more, because some model objects load when they are read.
  @Test func `an outage within a translator is an outage`() throws {
    let store = try TranslatingStore(TellingSession(base: base), PlaceModel.mapping)
    func untranslatable(_ cause: any Error) -> KinshipError {
      .untranslatable(type: TestPlace.recordName, id: 7, field: nil, cause: cause)
    }
    #expect(store.isOutage(untranslatable(Unreachable())))
    #expect(!store.isOutage(untranslatable(Invalid())))
    #expect(store.isRefusal(untranslatable(Invalid())) && store.isRefusal(Invalid()))
    #expect(!store.isRefusal(Unreachable()))
    // No connection was made.
    #expect(store.isOutage(Refused()) && store.isRefusal(Refused()))
  }
}
