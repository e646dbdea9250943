import Kinship
import KinshipTestSupport

/// A record of the trial of two tiers, with a value that is never written twice.
package struct TieredNote: GraphRecord, Hashable, Codable {
  package let id: Int
  var group: Int
  var value: Int
}

/// A record with a version.
package struct TieredDraft: Versioned, Hashable, Codable {
  package let id: String
  var group: Int
  var value: Int
  package var version = 0
}

/// A record of either type.
///
/// There are only a few.
protocol TieredRecord: GraphRecord, Hashable {
  var group: Int { get set }
  var value: Int { get set }

  static func id(_ number: Int) -> ID
  init(_ number: Int, group: Int, value: Int)
}

extension TieredNote: TieredRecord {
  static func id(_ number: Int) -> Int { number }

  init(_ number: Int, group: Int, value: Int) {
    self.init(id: number, group: group, value: value)
  }
}

extension TieredDraft: TieredRecord {
  static func id(_ number: Int) -> String { "\(number)" }

  init(_ number: Int, group: Int, value: Int) {
    self.init(id: "\(number)", group: group, value: value)
  }
}

/// A store in memory that fails on request.
final class MoodyStore: ForwardingStore {
  /// The fate of a call.
  enum Mood: CaseIterable {
    case willing, outOfReach, failing, refusing, losingBefore, losingAfter
  }

  /// The error of a failed call.
  struct Failure: Error { let mood: Mood }

  let memory = MemoryStore()
  let mood = Lock(Mood.willing)
  var base: any BackingStore { memory }

  private func check() throws {
    let mood = mood.withLock { $0 }
    if mood == .outOfReach || mood == .failing { throw Failure(mood: mood) }
  }

  func fetch<R: GraphRecord>(_ type: R.Type, ids: [R.ID]) async throws -> [R] {
    try check()
    return try await memory.fetch(type, ids: ids)
  }

  func fetch<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [R] {
    try check()
    return try await memory.fetch(query)
  }

  func count<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> Int {
    try check()
    return try await memory.count(query)
  }

  func refs<R: GraphRecord>(_ query: RecordQuery<R>) async throws -> [Ref<R>] {
    try check()
    return try await memory.refs(query)
  }

  func apply(_ changes: ChangeSet) async throws {
    try check()
    let mood = mood.withLock { $0 }
    if mood == .refusing || mood == .losingBefore { throw Failure(mood: mood) }
    try await memory.apply(changes)
    if mood == .losingAfter { throw Failure(mood: mood) }
  }

  func isRefusal(_ error: any Error) -> Bool {
    guard let failure = error as? Failure else { return error is KinshipError }
    return failure.mood != .losingBefore && failure.mood != .losingAfter
  }

  func isOutage(_ error: any Error) -> Bool { (error as? Failure)?.mood == .outOfReach }
}
