internal import Dispatch

/// Runs an actor's jobs on a queue of its own, one after another.
///
/// What waits for the disk, or for other processes that write, keeps none of the few threads there
/// that all other tasks share.
package final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Creates an executor.
  ///
  /// - Parameter label: What debuggers call the queue.
  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a job after those before it.
  ///
  /// - Parameter job: The job.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
