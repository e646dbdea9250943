public import Kinship

/// Receives a cache's work: the basis for metrics, distributed traces and signposts.
///
/// ```swift
/// struct SpanTracer: CacheTracer {
///   nonisolated(nonsending) func trace<Value>(
///     _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
///   ) async rethrows -> Value {
///     try await withSpan(work.name) { span in
///       span.attributes["kinship.records"] = work.count
///       return try await body()
///     }
///   }
/// }
/// ```
///
/// A cache created with `Tracing.on(notifying:)` runs its work through the tracer.
public protocol CacheTracer: Sendable {
  /// Runs a piece of work.
  ///
  /// It is called in the task that does the work, so task-local values are those of the caller. A
  /// fetch is different: it serves all waiting callers, in a task that the first of them has
  /// started. The code before and after the work must be short, and must not wait for the cache.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - body: The closure that does it. Call it exactly once.
  /// - Returns: The closure's result.
  /// - Throws: Any error that the closure throws. Throwing means that the work has failed or was
  ///   cancelled.
  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value
}

extension Tracing {
  /// Records the duration of the work.
  ///
  /// The records are bounded, and `GraphCache.report()` shows them.
  public static let on = Tracing { WorkRecorder(notifying: nil, elapsed: $0) }

  /// Records the duration of the work, and notifies a tracer.
  ///
  /// - Parameter tracer: The tracer.
  /// - Returns: The setting.
  public static func on(notifying tracer: any CacheTracer) -> Tracing {
    Tracing { WorkRecorder(notifying: tracer, elapsed: $0) }
  }
}
