/// Is told of a cache's work: what metrics, distributed traces and signposts can be put behind.
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
/// A cache that is made with ``Tracing/on(telling:)`` has it do its work. See
/// <doc:Seeing-a-cache-at-work>.
public protocol CacheTracer: Sendable {
  /// Does a piece of work.
  ///
  /// It is called in the task that does the work, so that task-local values are those of who asked;
  /// but records are fetched for all who wait for them, in a task that the first of them has
  /// started. Before and after the work it must be short, and must not wait for the cache.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - body: Does it. To be called exactly once.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws: by that, the work has failed, or was cancelled.
  nonisolated(nonsending) func trace<Value>(
    _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value
}

/// Whether a cache keeps account of what its work takes, and whom it tells.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, tracing: .on)
/// ```
///
/// What it keeps is bounded, and shown by ``GraphCache/report()``. Reads of what is in memory are
/// not traced, but counted, as they are always.
public struct Tracing: Sendable {
  let isOn: Bool
  let tracer: (any CacheTracer)?

  /// Nothing is kept, and nobody told: it costs nothing.
  public static let off = Tracing(isOn: false, tracer: nil)

  /// What the work takes is kept.
  public static let on = Tracing(isOn: true, tracer: nil)

  /// What the work takes is kept, and a tracer is told of it.
  ///
  /// - Parameter tracer: The tracer.
  /// - Returns: The setting.
  public static func on(telling tracer: any CacheTracer) -> Tracing {
    Tracing(isOn: true, tracer: tracer)
  }
}
