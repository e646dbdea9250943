import Kinship
import Synchronization

/// A dictionary that any thread may read, behind a lock.
final class LockedDictionary<Member: GraphRecord>: Sendable {
  private let records: Mutex<[Member.ID: Member]>

  init(_ records: [Member.ID: Member]) {
    self.records = Mutex(records)
  }

  func record(_ id: Member.ID) -> Member? {
    records.withLock { $0[id] }
  }
}
