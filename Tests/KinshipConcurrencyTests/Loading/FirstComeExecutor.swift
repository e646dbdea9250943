import Dispatch

/// Runs jobs one at a time in the order in which they become ready: what a fair scheduler does.
final class FirstComeExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "first come, first served")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
