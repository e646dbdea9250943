internal import Foundation
internal import Kinship

/// Runs each ready job on an idle thread, and starts another thread if none is idle, up to a limit:
/// a task executor apart from the cooperative pool.
public final class ThreadExecutor: TaskExecutor {
  /// The jobs that wait for a thread, the number of threads, and the number of those that wait for
  /// a job.
  private struct State {
    var jobs: [UnownedJob] = []
    var threads = 0
    var idle = 0
  }

  private enum Next { case start, wake, wait }

  private let state = Lock(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let mostThreads: Int

  /// Creates an executor without threads.
  ///
  /// - Parameter mostThreads: How many threads it starts at most.
  public init(mostThreads: Int) { self.mostThreads = mostThreads }

  /// Takes a job that is ready to run.
  ///
  /// - Parameter job: The job.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let next: Next = state.withLock { state in
      state.jobs.append(job)
      if state.idle > 0 {
        state.idle -= 1
        return .wake
      }
      if state.threads == mostThreads { return .wait }
      state.threads += 1
      return .start
    }
    switch next {
    case .start:
      let thread = Thread { [self] in run() }
      // The size of the main thread's stack: a property may recurse.
      thread.stackSize = 8 << 20
      thread.start()
    case .wake: arrivals.signal()
    case .wait: break
    }
  }

  private func run() {
    while true {
      while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
        job.runSynchronously(on: asUnownedTaskExecutor())
      }
      let waits = state.withLock { state in
        if !state.jobs.isEmpty { return false }
        state.idle += 1
        return true
      }
      if waits { arrivals.wait() }
    }
  }
}
