internal import Kinship

/// Changes that wait to be committed.
final class PendingCommit: Sendable {
  let changes: ChangeSet
  private let state = Lock<Result<Void, any Error>?>(nil)

  init(_ changes: ChangeSet) { self.changes = changes }

  /// The result of the commit; `nil` while it waits.
  var outcome: Result<Void, any Error>? { state.withLock { $0 } }

  func settle(_ outcome: Result<Void, any Error>) { state.withLock { $0 = outcome } }
}
