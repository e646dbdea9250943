import KinshipTestSupport
import Synchronization

/// The logs of all sessions that a test has made.
final class SessionLog: Sendable {
  private let logs = Mutex<[ModelLog]>([])

  func add(_ log: ModelLog) { logs.withLock { $0.append(log) } }

  /// How often models were touched outside their sessions.
  var strays: Int { logs.withLock { $0.reduce(0) { $0 + $1.counts.strays } } }

  /// How often all models of a type were asked for.
  var scans: Int { logs.withLock { $0.reduce(0) { $0 + $1.counts.scans } } }
}
