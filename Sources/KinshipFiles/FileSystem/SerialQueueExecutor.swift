internal import Dispatch

/// Runs an actor's jobs on a separate queue, one after another.
///
/// Jobs that wait for the disk, or for other processes that write, then block none of the few
/// threads that all other tasks share.
package final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Creates an executor whose queue has a name in debuggers.
  package init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs a job after all earlier ones.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
