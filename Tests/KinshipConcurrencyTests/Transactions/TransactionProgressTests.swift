import Kinship
import KinshipTestSupport
import Testing

@testable import KinshipTrials

/// Transactions end, however often their records are dropped while they load them.
struct TransactionProgressTests {
  private typealias AnAuthor = Author<Int>
  private typealias AWork = Work<Int>

  /// A store that drops the records of one type with each answer about the other.
  private final class RestlessStore: BackingStore {
    let base: MemoryStore
    let cache = Lock<GraphCache?>(nil)
    let calls = Lock(0)

    init(_ base: MemoryStore) { self.base = base }

    private func drop<R: GraphRecord>(besides type: R.Type) async {
      calls.withLock { $0 += 1 }
      let cache = cache.withLock { $0 }
      for number in 0..<4 {
        if type == AnAuthor.self { await cache?.invalidate(AWork.ref(number)) }
        if type == AWork.self { await cache?.invalidate(AnAuthor.ref(number)) }
      }
    }

    func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
      await drop(besides: type)
      return try await base.fetch(type, ids: ids)
    }

    func apply(_ changes: ChangeSet) async throws { try await base.apply(changes) }

    func referrers<Source: GraphRecord, Target: GraphRecord>(
      to targets: [Ref<Target>], by relationship: RecordRelationship<Source>
    ) async throws -> [Source] {
      calls.withLock { $0 += 1 }
      // The cache no longer knows whether it has all referrers as soon as one is dropped.
      let cache = cache.withLock { $0 }
      await cache?.invalidate(AnAuthor.ref(9))
      await cache?.invalidate(AWork.ref(9))
      return try await base.referrers(to: targets, by: relationship)
    }
  }

  private let base = MemoryStore()
  private let store: RestlessStore
  private let cache: GraphCache

  init() throws {
    base.insert((0..<3).map { AnAuthor($0, Entry(value: $0, one: $0 == 2 ? 1 : nil)) })
    base.insert((0..<3).map { AWork($0, Entry(value: $0, one: $0)) })
    store = RestlessStore(base)
    cache = try GraphCache(for: AnAuthor.self, AWork.self, store: store)
    let cache = cache
    store.cache.withLock { $0 = cache }
  }

  @Test func `a transaction ends though its records are dropped in turn`() async throws {
    let author = AnAuthor.ref(0)
    let work = AWork.ref(1)
    try await cache.write { tx in
      let sum = (tx[author]?.value ?? -100) + (tx[work]?.value ?? -100)
      tx[author]?.value = sum + 40
    }
    #expect(base[author]?.value == 41)
    #expect(try await cache.resolve(author).value == 41)
    #expect(store.calls.withLock { $0 } < 50)
    #expect(await cache.audit() == [])
  }

  @Test func `a deletion ends though its referrers are dropped`() async throws {
    try await cache.write { tx in try tx.delete(AnAuthor.ref(1)) }
    #expect(base[AnAuthor.ref(1)] == nil)
    #expect(base[AWork.ref(1)] == nil)
    #expect(base[AnAuthor.ref(2)]?.mentor == nil)
    #expect(base[AnAuthor.ref(2)]?.value == 2)
    #expect(store.calls.withLock { $0 } < 200)
    #expect(await cache.audit() == [])
  }
}
