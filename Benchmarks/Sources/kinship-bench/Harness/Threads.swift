import Dispatch
import Foundation
import Synchronization

/// Runs a closure on several threads at once.
///
/// - Parameters:
///   - count: The number of threads.
///   - work: The work of each thread.
/// - Returns: The time until all had ended, and the sum of their results.
func onThreads(
  _ count: Int, _ work: @escaping @Sendable (_ thread: Int) -> Int
) -> (elapsed: Duration, sum: Int) {
  let (ready, start) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let end = DispatchGroup()
  let sum = Sum()
  for thread in 0..<count {
    end.enter()
    Thread.detachNewThread {
      ready.signal()
      start.wait()
      sum.value.wrappingAdd(work(thread), ordering: .relaxed)
      end.leave()
    }
  }
  for _ in 0..<count { ready.wait() }
  let watch = Stopwatch()
  for _ in 0..<count { start.signal() }
  end.wait()
  return (watch.elapsed, sum.value.load(ordering: .relaxed))
}

private final class Sum: Sendable {
  let value = Atomic(0)
}
