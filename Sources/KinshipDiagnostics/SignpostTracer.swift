#if canImport(os)
  public import Kinship
  internal import os

  /// Shows a cache's work in Instruments: each piece is a signpost interval.
  ///
  /// Pass it to `Tracing.on(notifying:)` when you create the cache. The intervals are points of
  /// interest, and show the kind, the record type and the count.
  public struct SignpostTracer: CacheTracer {
    private let signposter: OSSignposter

    /// Creates a tracer.
    ///
    /// - Parameter subsystem: The subsystem under which Instruments shows the work.
    public init(subsystem: String = "kinship") {
      signposter = OSSignposter(subsystem: subsystem, category: .pointsOfInterest)
    }

    /// Runs a piece of work within an interval.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - body: The closure that does it.
    /// - Returns: The closure's result.
    /// - Throws: Any error that the closure throws.
    public nonisolated(nonsending) func trace<Value>(
      _ work: CacheWork, _ body: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
      let text = work.description
      let state = signposter.beginInterval(
        "work", id: signposter.makeSignpostID(), "\(text, privacy: .public)")
      defer { signposter.endInterval("work", state) }
      return try await body()
    }
  }
#endif
