import Dispatch
import Foundation
import Synchronization

/// A thread that runs tasks, with priority over all other threads if the system allows that: its
/// tasks then wait only for the measured program, and not for the scheduler.
final class ReaderThread: TaskExecutor {
  static let shared = ReaderThread()

  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  private init() {
    Thread.detachNewThread { [self] in
      var priority = sched_param()
      priority.sched_priority = sched_get_priority_min(SCHED_FIFO)
      // This requires a permission that not every user has. Without it, measurements include the
      // delays of the scheduler.
      pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
      while true {
        arrivals.wait()
        jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Reads every fifth of a millisecond while other work runs.
  ///
  /// - Parameters:
  ///   - read: One reading.
  ///   - work: The work to do meanwhile.
  /// - Returns: The longest that a reading took.
  /// - Throws: The error of the work.
  func longestReading(
    _ read: @escaping @Sendable () async -> Void, while work: () async throws -> Void
  ) async throws -> Duration {
    let (hasBegun, isOver) = (Flag(), Flag())
    let reader = Task(executorPreference: self) {
      var longest = Duration.zero
      // The first time, the program is not in the processor's caches.
      for _ in 0..<10 { await read() }
      hasBegun.raise()
      repeat {
        let watch = Stopwatch()
        await read()
        longest = max(longest, watch.elapsed)
        usleep(200)
      } while !isOver.isRaised
      return longest
    }
    while !hasBegun.isRaised { await Task.yield() }
    do { try await work() } catch {
      isOver.raise()
      throw error
    }
    isOver.raise()
    return await reader.value
  }
}

/// A flag that one thread sets and others read.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}
