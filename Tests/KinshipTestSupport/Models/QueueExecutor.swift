internal import Dispatch
internal import Foundation
internal import Kinship

/// A serial executor with a queue of its own, which knows whether code runs on it.
package final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "models")
  /// The thread that runs a job.
  private let thread = Lock<ObjectIdentifier?>(nil)

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in
      thread.withLock { $0 = ObjectIdentifier(Thread.current) }
      job.runSynchronously(on: asUnownedSerialExecutor())
      thread.withLock { $0 = nil }
    }
  }

  /// Whether the caller runs on this executor.
  package var isCurrent: Bool {
    let caller = ObjectIdentifier(Thread.current)
    return thread.withLock { $0 == caller }
  }
}
