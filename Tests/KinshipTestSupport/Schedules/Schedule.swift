internal import Kinship

/// Runs concurrent code one job at a time, in an order that a seed decides and that replays.
///
/// ```swift
/// @Test func aWriteDuringALoadWins() throws {
///   try Schedule.explore(seeds: 1_000) { schedule in
///     let cache = Cache(store: store, executor: schedule.executor)
///     async let loaded = cache.load(1)
///     await cache.write(1, "new")
///     _ = try await loaded
///     try verifyEqual(await cache.value(1), "new", "what is cached")
///   }
/// }
/// ```
///
/// Tasks that inherit the body's executor preference and default actors take part: child tasks,
/// `async let`, task groups. A `Task {}` does not; give it the preference,
/// `Task(executorPreference: schedule.executor) {}`. A schedule has no time: nothing may sleep.
///
/// If the order of a `Set` or a `Dictionary` matters, a seed replays within one process. Across
/// processes, set `SWIFT_DETERMINISTIC_HASHING=1`.
public struct Schedule: Sendable {
  /// The executor of the body, for those that take an executor preference.
  public let executor: ScheduleExecutor

  /// The seed of the order.
  ///
  /// The body may derive its own choices from it, too.
  public let seed: UInt64

  /// Writes a line into the trace, which explains the choices later.
  ///
  /// - Parameter text: The event.
  public func note(_ text: String) {
    executor.note(text)
  }

  /// Waits until no other job can run: all others have ended, or wait in their turn.
  ///
  /// If several tasks wait so, they continue one at a time, in the order of their waits. Call this
  /// within the body.
  nonisolated(nonsending) public func waitUntilIdle() async {
    await executor.waitUntilIdle()
  }

  /// Applies commands concurrently: each begins after a delay that the seed decides.
  ///
  /// Call this within the body.
  ///
  /// - Parameters:
  ///   - commands: The commands.
  ///   - limit: The upper limit of the delays, in turns of others.
  ///   - isRest: Whether all commands in progress must have ended before the next one begins.
  ///   - apply: Applies a command.
  ///   - verify: Checks the world after each rest, and at the end.
  /// - Throws: Any error of the closures.
  nonisolated(nonsending) package func apply<C: Sendable>(
    _ commands: [C], delayedUpTo limit: Int, isRest: (C) -> Bool,
    apply: @escaping @Sendable (C) async throws -> Void,
    verify: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    var group: [Task<Void, any Error>] = []
    var generator = SplitMix64(seed: seed)
    for command in commands {
      let delay = Int.random(in: 0..<limit, using: &generator)
      group.append(
        Task(executorPreference: executor) {
          for _ in 0..<delay { await Task.yield() }
          try await apply(command)
        })
      if isRest(command) {
        for task in group { try await task.value }
        group = []
        try await verify()
      }
    }
    for task in group { try await task.value }
    try await verify()
  }

  /// Runs a body under the order that one seed decides, on the current thread.
  ///
  /// - Parameters:
  ///   - seed: Decides the order.
  ///   - limit: The number of jobs after which the schedule counts as endless.
  ///   - body: The code to run. Tasks that it leaves running run to their end, too.
  /// - Returns: The body's result.
  /// - Throws: Any error of the body, or a ``ScheduleError``.
  public static func run<Value: Sendable>(
    seed: UInt64, limit: Int = 100_000,
    _ body: @escaping @Sendable (Schedule) async throws -> Value
  ) throws -> Value {
    try record(seed: seed, limit: limit, body).result.get()
  }

  /// Runs a body under many orders, and stops at the first that fails.
  ///
  /// - Parameters:
  ///   - seeds: How many orders to try.
  ///   - limit: The number of jobs after which one schedule counts as endless.
  ///   - effort: The amount of work, or `nil` to read it from the environment.
  ///   - body: The code to run.
  /// - Throws: ``ScheduleFailure`` with the seed of the first order that fails; ``EffortError`` for
  ///   an invalid environment; `CancellationError` if the task is cancelled.
  package static func explore(
    seeds: Int = 1_000, limit: Int = 100_000, effort: Effort? = nil,
    _ body: @escaping @Sendable (Schedule) async throws -> Void
  ) throws {
    for seed in try (effort ?? Effort()).seeds(seeds) {
      try Task.checkCancellation()
      let recording = record(seed: seed, limit: limit, body)
      do {
        try recording.result.get()
      } catch {
        throw ScheduleFailure(seed: seed, cause: error, trace: recording.trace)
      }
    }
  }

  /// Runs a body under the order that one seed decides, and returns the choices.
  ///
  /// - Parameters:
  ///   - seed: Decides the order.
  ///   - limit: The number of jobs after which the schedule counts as endless.
  ///   - body: The code to run. Tasks that it leaves running run to their end, too.
  /// - Returns: The body's result or error, or a ``ScheduleError``; and the trace.
  public static func record<Value: Sendable>(
    seed: UInt64, limit: Int = 100_000,
    _ body: @escaping @Sendable (Schedule) async throws -> Value
  ) -> ScheduleRecording<Value> {
    let executor = ScheduleExecutor(seed: seed)
    let outcome = Outcome<Value>()
    let task = Task(executorPreference: executor, priority: .medium) {
      let result: Result<Value, any Error>
      do {
        result = .success(try await body(Schedule(executor: executor, seed: seed)))
      } catch {
        result = .failure(error)
      }
      outcome.result.withLock { $0 = result }
    }
    let interruption = drive(executor, limit: limit)
    // Before the cancellation, because the body's result of a cancellation is not its own.
    let result = outcome.result(unless: interruption)
    task.cancel()
    let aftermath = drive(executor, limit: limit)
    executor.end(aftermath == .endless(limit: limit) ? .abandoned : .released)
    return ScheduleRecording(result: result, trace: executor.trace)
  }

  /// Runs jobs until none is ready.
  private static func drive(_ executor: ScheduleExecutor, limit: Int) -> ScheduleError? {
    var count = 0
    while executor.runNext() {
      count += 1
      if executor.hasEscaped { return .escaped }
      if count == limit { return .endless(limit: limit) }
    }
    return nil
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Lock<Result<Value, any Error>?>(nil)

    /// The result of the body: its own error says more than that of the schedule.
    func result(unless interruption: ScheduleError?) -> Result<Value, any Error> {
      switch (result.withLock { $0 }, interruption) {
      case (.failure(let error), _): .failure(error)
      case (.success(let value), nil): .success(value)
      case (_, let interruption): .failure(interruption ?? .stalled)
      }
    }
  }
}
