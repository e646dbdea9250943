import Kinship
import KinshipTestSupport

@testable import KinshipTrials

/// One observer among writers, which verifies each change when it arrives, and the last one at
/// rest.
///
/// - O1: an observer sees versions that existed, in their order, and ends on the last of them.
/// - O2: each difference, applied to the previous value, gives the next one.
final class ObserverProbe: Sendable {
  private struct State {
    var failure: (any Error)?
    var changes = 0
    var hasEnded = false
    /// Whether the last change is that of a version.
    var isLast: @Sendable ([Key: Entry]) -> Bool = { _ in false }
  }

  let name: String
  private let state = Lock(State())
  private let versions: Versions
  /// Whether each value is compared with all versions, or only the last one.
  private let comparesAll: Bool

  init(_ name: String, _ versions: Versions, comparesAll: Bool = true) {
    self.name = name
    self.versions = versions
    self.comparesAll = comparesAll
  }

  var changes: Int { state.withLock(\.changes) }
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Follows changes until the task is cancelled, or for some changes only.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - limit: The number of changes to follow.
  ///   - turns: How many turns of others to wait after each.
  ///   - replay: Applies the difference to the value before.
  ///   - matches: Whether a value is that of a version.
  func follow<Value: Sendable, Diff: ObservedDifference>(
    _ changes: Changes<Value, Diff>, limit: Int, turns: Int,
    replay: @Sendable (ObservedChange<Value, Diff>, Value?) -> Bool,
    matches: @escaping @Sendable (Value, [Key: Entry]) -> Bool
  ) async {
    do {
      var iterator = changes.makeAsyncIterator()
      var previous: Value?
      var position = 0
      var count = 0
      while count < limit {
        do {
          guard let change = try await iterator.next(isolation: #isolation) else { break }
          count += 1
          try KinshipTestSupport.verify(
            replay(change, previous), "\(name): the difference gives another value")
          previous = change.value
          if comparesAll, !change.isLoading {
            let worlds = versions.all
            guard
              let index = worlds[position...].firstIndex(where: { matches(change.value, $0) })
            else {
              throw Mismatch(
                "\(name): \(change.value) is that of none of the versions \(position)... of "
                  + "\(worlds.count)")
            }
            position = index
          }
          state.withLock { state in
            state.changes += 1
            state.isLast = { !change.isLoading && matches(change.value, $0) }
          }
        } catch KinshipError.fetchFailed(_, _, let cause) where cause is ScriptedFailure {}
        for _ in 0..<turns { await Task.yield() }
      }
    } catch {
      state.withLock { $0.failure = error }
    }
    state.withLock { $0.hasEnded = true }
  }

  /// Verifies that no error occurred, and that the last change shows a version.
  func verify(_ world: [Key: Entry]) throws {
    let (failure, isLast, hasEnded) = state.withLock { ($0.failure, $0.isLast, $0.hasEnded) }
    if let failure { throw failure }
    try KinshipTestSupport.verify(
      hasEnded || isLast(world), "\(name): the last change does not show the last version")
  }
}
