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
/// A cache created with ``Tracing/on(telling:)`` runs its work through the tracer. See
/// <doc:Seeing-a-cache-at-work>.
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

/// Whether a cache records the duration of its work, and which tracer it notifies.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, tracing: .on)
/// ```
///
/// The records are bounded, and ``GraphCache/report()`` shows them. Reads from memory are counted,
/// as always, but not traced.
public struct Tracing: Sendable {
  let isOn: Bool
  let tracer: (any CacheTracer)?

  /// Records nothing, notifies no tracer, and has no cost.
  public static let off = Tracing(isOn: false, tracer: nil)

  /// Records the duration of the work.
  public static let on = Tracing(isOn: true, tracer: nil)

  /// Records the duration of the work, and notifies a tracer.
  ///
  /// - Parameter tracer: The tracer.
  /// - Returns: The setting.
  public static func on(telling tracer: any CacheTracer) -> Tracing {
    Tracing(isOn: true, tracer: tracer)
  }
}
