internal import Kinship

/// The calls of a context of models, and any access to models outside their session.
package final class ModelLog: Sendable {
  package struct Counts: Sendable {
    /// Finds by ids, by class.
    package var finds: [String: Int] = [:]
    /// Finds of all models of a class.
    package var scans = 0
    package var commits = 0
    package var rollbacks = 0
    /// Accesses to models outside their session.
    package var strays = 0
  }

  private let state = Lock(Counts())

  package init() {}

  package var counts: Counts { state.withLock { $0 } }

  func note(_ change: @Sendable (inout Counts) -> Void) { state.withLock { change(&$0) } }

  /// Resets the counts.
  package func reset() { state.withLock { $0 = Counts() } }
}
