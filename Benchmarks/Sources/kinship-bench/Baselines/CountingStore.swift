import Kinship
import Synchronization

/// Counts the calls to a store.
final class CountingStore: BackingStore {
  private struct Counts {
    var calls = 0
    var records = 0
  }

  private let base: MemoryStore
  private let counts = Mutex(Counts())

  init(_ base: MemoryStore) {
    self.base = base
  }

  var calls: Int { counts.withLock { $0.calls } }
  var records: Int { counts.withLock { $0.records } }

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    let records = try await base.fetch(type, ids: ids)
    counts.withLock {
      $0.calls += 1
      $0.records += records.count
    }
    return records
  }
}
