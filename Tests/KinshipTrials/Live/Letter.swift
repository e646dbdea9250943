import KinshipTestSupport

@testable import Kinship

/// A record that is not `Equatable`: only writes show whether it has changed.
struct Letter: GraphRecord {
  let id: Int
  let rank: Int
  /// A letter that depends on the id and the rank, and may be missing.
  let reply: Ref<Letter>
  /// A number that no other value has, which distinguishes equal values in a test.
  var copy = 0

  /// The maximum number of letters.
  static let count = 120

  init(id: Int, rank: Int, copy: Int = 0) {
    (self.id, self.rank, self.copy) = (id, rank, copy)
    reply = Ref((id * 7 + rank + 1) % Self.count)
  }

  /// All properties but the number of the copy.
  var facts: [Int] { [id, rank] }

  static let relationships: Relationships<Letter> = [
    .toOne(\.reply, onTargetDelete: DeleteRule.none)
  ]
}

/// A store that gives each record that it reads another copy number.
final class LetterStore: ForwardingStore {
  let memory = MemoryStore()
  private let copies = Lock(0)
  private let calls = Lock(0)

  var base: any BackingStore { memory }

  private func begin() throws {
    try CalledWithoutEnd.check(
      calls.withLock { count in
        count += 1
        return count
      }, limit: 5_000)
  }

  private func copied<R: GraphRecord>(_ records: [R]) -> [R] {
    records.map { record in
      guard var letter = record as? Letter else { return record }
      letter.copy = copies.withLock { count in
        count += 1
        return count
      }
      return letter as? R ?? record
    }
  }

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try begin()
    return copied(try await memory.fetch(type, ids: ids))
  }

  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try begin()
    return copied(try await memory.fetch(query))
  }
}
