#if canImport(os)
  internal import os

  /// Shows a cache's work in Instruments: each piece is an interval of a signpost.
  ///
  /// A cache that is made with ``Tracing/on(telling:)`` tells it. The intervals are points of
  /// interest, and say the kind, the record type and the count.
  public struct SignpostTracer: CacheTracer {
    private let signposter: OSSignposter

    /// Creates a tracer.
    ///
    /// - Parameter subsystem: The subsystem under which Instruments shows the work.
    public init(subsystem: String = "kinship") {
      signposter = OSSignposter(subsystem: subsystem, category: .pointsOfInterest)
    }

    /// Does a piece of work within an interval.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - body: Does it.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
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
