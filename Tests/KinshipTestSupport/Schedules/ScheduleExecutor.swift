internal import Foundation
internal import Kinship

/// A task executor that holds every job back until its driver picks one, by a seed.
///
/// ``Schedule`` drives one. Use it as an executor preference.
public final class ScheduleExecutor: TaskExecutor {
  private struct State {
    var generator: SplitMix64
    var ready: [UnownedJob] = []
    /// The waits that end only when no other job is ready.
    var idleWaits: [Wait] = []
    var trace = ScheduleTrace()
    var ending: Ending?
    var escaped = false
  }

  /// The fate of jobs after the schedule has ended.
  enum Ending {
    /// They run on the global executor, because nothing drives them any more.
    case released
    /// They never run, because they have proved endless.
    case abandoned
  }

  private let state: Lock<State>
  private let driver: ObjectIdentifier

  /// Creates an executor whose jobs the current thread drives.
  init(seed: UInt64) {
    state = Lock(State(generator: SplitMix64(seed: seed)))
    driver = ObjectIdentifier(Thread.current)
  }

  /// Takes a job that is ready to run.
  ///
  /// - Parameter job: The job, run when the seed picks it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isDriver = ObjectIdentifier(Thread.current) == driver
    let ending = state.withLock { state in
      if state.ending == nil {
        state.ready.append(job)
        state.escaped = state.escaped || !isDriver
      }
      return state.ending
    }
    if ending == .released {
      globalConcurrentExecutor.enqueue(job)
    }
  }

  /// Whether a job came from another thread, so that the seed alone did not decide the order.
  var hasEscaped: Bool { state.withLock(\.escaped) }

  /// The choices made and the notes taken so far.
  var trace: ScheduleTrace { state.withLock(\.trace) }

  func note(_ text: String) {
    state.withLock { $0.trace.events.append(.note(text)) }
  }

  /// Waits until no other job is ready.
  nonisolated(nonsending) func waitUntilIdle() async {
    let wait = Wait()
    state.withLock { $0.idleWaits.append(wait) }
    _ = await wait.untilEnd()
  }

  /// Picks one of the ready jobs, and runs it until it ends or waits.
  ///
  /// - Returns: `false` if none is ready.
  func runNext() -> Bool {
    endIdleWait()
    let picked: UnownedJob? = state.withLock { state in
      guard !state.ready.isEmpty else { return nil }
      let index = Int.random(in: state.ready.indices, using: &state.generator)
      state.trace.events.append(.choice(index, of: state.ready.count))
      return state.ready.remove(at: index)
    }
    guard let picked else { return false }
    picked.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }

  private func endIdleWait() {
    let wait: Wait? = state.withLock { state in
      guard state.ready.isEmpty, !state.idleWaits.isEmpty else { return nil }
      return state.idleWaits.removeFirst()
    }
    wait?.end()
  }

  /// Stops holding jobs back.
  func end(_ ending: Ending) {
    let leftovers = state.withLock { state in
      state.ending = ending
      defer { state.ready = [] }
      return state.ready
    }
    if ending == .released {
      for job in leftovers { globalConcurrentExecutor.enqueue(job) }
    }
  }
}
