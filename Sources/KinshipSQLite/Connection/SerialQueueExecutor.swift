#if SQLite
  internal import Dispatch

  /// Runs an actor's jobs on a queue of its own, one after another.
  ///
  /// A commit waits for the disk, and for other processes that write: on this queue it keeps none of the
  /// few threads that all other tasks share.
  final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
#endif
