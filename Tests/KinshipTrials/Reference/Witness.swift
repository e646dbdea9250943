import Foundation
import KinshipTestSupport
import Synchronization

@testable import Kinship

/// An object of a record that uses the cache when it is released: no thread may hold its lock then.
final class Witness: Sendable {
  /// The observations of a cache's witnesses, each when it was released.
  final class Log: Sendable {
    private struct State {
      weak var cache: GraphCache?
      var ends = 0
      var endsUnderLock = 0
    }

    @TaskLocal static var current: Log?

    private let state = Lock(State())

    /// The number of released witnesses.
    var ends: Int { state.withLock(\.ends) }
    /// The number of those released while the cache's lock was held.
    var endsUnderLock: Int { state.withLock(\.endsUnderLock) }

    func watch(_ cache: GraphCache) { state.withLock { $0.cache = cache } }

    /// Whether this thread does not hold the lock: another one soon releases it.
    private static func isFree(_ cache: GraphCache) -> Bool {
      for _ in 0..<100_000 {
        if cache.state.lock.mutex.withLockIfAvailable({ _ in true }) == true { return true }
        sched_yield()
      }
      return false
    }

    fileprivate func noteEnd() {
      let cache = state.withLock(\.cache)
      let isFree = cache.map(Self.isFree) ?? true
      state.withLock { state in
        state.ends += 1
        state.endsUnderLock += isFree ? 0 : 1
      }
    }
  }

  private let log: Log?

  init(_ log: Log? = .current) { self.log = log }

  deinit { log?.noteEnd() }
}

/// A witness that makes no difference when records are compared.
struct Witnessed: Equatable, Sendable {
  var witness = Witness()

  static func == (left: Witnessed, right: Witnessed) -> Bool { true }
}
