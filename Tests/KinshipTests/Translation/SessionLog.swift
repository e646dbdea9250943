import KinshipTestSupport
import Synchronization

/// The logs of all sessions of a test.
final class SessionLog: Sendable {
  private let logs = Mutex<[ModelLog]>([])

  func add(_ log: ModelLog) { logs.withLock { $0.append(log) } }

  /// The number of accesses to models outside their sessions.
  var strays: Int { logs.withLock { $0.reduce(0) { $0 + $1.counts.strays } } }

  /// The number of requests for all models of a type.
  var scans: Int { logs.withLock { $0.reduce(0) { $0 + $1.counts.scans } } }
}
