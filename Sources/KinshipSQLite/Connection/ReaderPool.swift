#if SQLite
  internal import Kinship

  /// The connections that read: each serves one task at a time, and tasks beyond that wait, suspended, in
  /// the order in which they came.
  final class ReaderPool: Sendable {
    private struct State {
      var idle: [Reader]
      /// By their numbers, which are in the order in which they came.
      var waiters: [UInt64: CheckedContinuation<Reader?, Never>] = [:]
      var lastNumber: UInt64 = 0
      /// None waits with a smaller number.
      var first: UInt64 = 1

      /// Takes out who has waited longest.
      mutating func popWaiter() -> CheckedContinuation<Reader?, Never>? {
        if waiters.isEmpty { return nil }
        while first <= lastNumber {
          defer { first += 1 }
          if let waiter = waiters.removeValue(forKey: first) { return waiter }
        }
        return nil
      }
    }

    private let state: Lock<State>
    private let timeout: Duration

    init(_ file: DatabaseFile, _ tally: Tally) {
      timeout = file.configuration.busyTimeout
      state = Lock(
        State(idle: (0..<file.configuration.readers).map { _ in Reader(file, tally) }))
    }

    /// Runs a closure with a connection to itself.
    func run<Result: Sendable>(
      _ body: @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      let reader = try await acquire()
      defer { release(reader) }
      var delay = Duration.milliseconds(1)
      var start: ContinuousClock.Instant?
      while true {
        do {
          return try await reader.run(body)
        } catch let error as SQLiteError where error.isBusy {
          // Without a write-ahead log, and while one is recovered, a writer keeps readers out.
          let now = ContinuousClock.now
          if now - (start ?? now) >= timeout { throw error }
          start = start ?? now
          try await Task.sleep(for: delay)
          delay = min(delay * 2, .milliseconds(50))
        }
      }
    }

    /// Closes the connections that nobody uses.
    func close() { state.withLock { $0.idle = [] } }

    private func acquire() async throws -> Reader {
      try Task.checkCancellation()
      if let reader = state.withLock({ $0.idle.popLast() }) { return reader }
      let number = state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
      let reader = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let served: Reader?? = state.withLock { state in
            // A reader may have come back, or the task been cancelled, since it was looked for.
            if let reader = state.idle.popLast() { return .some(reader) }
            if Task.isCancelled { return .some(nil) }
            state.waiters[number] = continuation
            state.first = min(state.first, number)
            return nil
          }
          if let served { continuation.resume(returning: served) }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: nil)
      }
      guard let reader else { throw CancellationError() }
      return reader
    }

    private func release(_ reader: Reader) {
      let waiter = state.withLock { state in
        let waiter = state.popWaiter()
        if waiter == nil { state.idle.append(reader) }
        return waiter
      }
      waiter?.resume(returning: reader)
    }
  }
#endif
