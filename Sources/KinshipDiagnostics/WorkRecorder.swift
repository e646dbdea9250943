internal import Kinship

/// Records the duration of a cache's work, and notifies a tracer.
final class WorkRecorder: WorkRecording {
  private let log = Lock(WorkLog())
  private let tracer: (any CacheTracer)?
  private let elapsed: @Sendable () -> Duration

  init(notifying tracer: (any CacheTracer)?, elapsed: @escaping @Sendable () -> Duration) {
    self.tracer = tracer
    self.elapsed = elapsed
  }

  nonisolated(nonsending) func record<Value>(
    _ work: CacheWork, for observer: UInt64?, reads: () -> (hits: Int, misses: Int),
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let start = elapsed()
    log.withLock { $0.begin(work) }
    do {
      let value =
        if let tracer { try await tracer.trace(work, body) } else { try await body() }
      end(work, for: observer, from: start, nil, reads)
      return value
    } catch {
      end(work, for: observer, from: start, error, reads)
      throw error
    }
  }

  private func end(
    _ work: CacheWork, for observer: UInt64?, from start: Duration, _ error: (any Error)?,
    _ reads: () -> (hits: Int, misses: Int)
  ) {
    let now = elapsed()
    let isDue = log.withLock { log in
      log.end(work, from: start, to: now, error)
      if let observer { log.observers.record(observer, max(.zero, now - start)) }
      return log.reads.isDue(at: now)
    }
    guard isDue else { return }
    let (hits, misses) = reads()
    log.withLock { $0.reads.append(CacheReport.Reads(time: now, hits: hits, misses: misses)) }
  }

  func beginObserver(_ number: UInt64, _ title: String) {
    log.withLock { $0.observers.begin(number, title) }
  }

  func endObserver(_ number: UInt64) { log.withLock { $0.observers.end(number) } }

  var noted: WorkLog { log.withLock { $0 } }
}
