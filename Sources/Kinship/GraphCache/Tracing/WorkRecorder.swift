/// Keeps account of a cache's work, and tells a tracer of it.
final class WorkRecorder: Sendable {
  private let log = Lock(WorkLog())
  private let observers = Lock(ObserverLog())
  private let tracer: (any CacheTracer)?
  private let elapsed: @Sendable () -> Duration

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - tracer: Who is told.
  ///   - elapsed: The time since the cache was made.
  init(telling tracer: (any CacheTracer)?, elapsed: @escaping @Sendable () -> Duration) {
    self.tracer = tracer
    self.elapsed = elapsed
  }

  /// Does a piece of work, for an observer or for nobody in particular.
  nonisolated(nonsending) func record<Value>(
    _ work: CacheWork, for observer: UInt64?,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let start = elapsed()
    log.withLock { $0.begin(work) }
    do {
      let value =
        if let tracer { try await tracer.trace(work, body) } else { try await body() }
      end(work, for: observer, from: start, nil)
      return value
    } catch {
      end(work, for: observer, from: start, error)
      throw error
    }
  }

  private func end(
    _ work: CacheWork, for observer: UInt64?, from start: Duration, _ error: (any Error)?
  ) {
    let now = elapsed()
    log.withLock { $0.end(work, from: start, to: now, error) }
    if let observer { observers.withLock { $0.note(observer, max(.zero, now - start)) } }
  }

  /// Notes how many records were asked for so far, if it is time for that.
  func noteReads(_ counts: () -> (hits: Int, misses: Int)) {
    let now = elapsed()
    guard log.withLock({ $0.reads.isDue(at: now) }) else { return }
    let (hits, misses) = counts()
    log.withLock { $0.reads.note(ReadHistory.Sample(time: now, hits: hits, misses: misses)) }
  }

  func beginObserver(_ number: UInt64, _ title: String) {
    observers.withLock { $0.begin(number, title) }
  }

  func endObserver(_ number: UInt64) { observers.withLock { $0.end(number) } }

  /// What was noted so far.
  var noted: (log: WorkLog, observers: ObserverLog) {
    (log.withLock { $0 }, observers.withLock { $0 })
  }
}

extension GraphCache {
  /// Does a piece of work, and keeps account of it if the cache is traced.
  nonisolated(nonsending) func traced<Value>(
    _ work: @autoclosure () -> CacheWork, for observer: Observer.ID? = nil,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    guard let recorder else { return try await body() }
    defer {
      recorder.noteReads { state.withLock { ($0.map.tally.hits, $0.map.tally.misses) } }
    }
    return try await recorder.record(work(), for: observer, body)
  }
}
