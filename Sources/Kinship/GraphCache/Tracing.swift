/// Whether a cache measures its work.
///
/// ```swift
/// let cache = try GraphCache(
///   for: Person.self, Event.self, Place.self, store: store, tracing: .on)
/// ```
///
/// `KinshipDiagnostics` adds `.on` and `.on(notifying:)`. Reads from memory are always counted,
/// and never traced.
public struct Tracing: Sendable {
  package let makeRecorder: (@Sendable (@escaping @Sendable () -> Duration) -> any WorkRecording)?

  /// Creates a setting.
  ///
  /// - Parameter makeRecorder: Creates the recorder of a cache, from the time since its creation.
  package init(
    _ makeRecorder: (@Sendable (@escaping @Sendable () -> Duration) -> any WorkRecording)?
  ) {
    self.makeRecorder = makeRecorder
  }

  /// Measures nothing, at no cost.
  public static let off = Tracing(nil)
}

/// Measures a cache's work.
package protocol WorkRecording: Sendable {
  /// Runs a piece of work.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - observer: The observer whose work it is, if any.
  ///   - reads: Returns the number of records requested so far.
  ///   - body: The closure that does it; called exactly once.
  /// - Returns: The closure's result.
  /// - Throws: Any error that the closure throws.
  nonisolated(nonsending) func record<Value>(
    _ work: CacheWork, for observer: UInt64?, reads: () -> (hits: Int, misses: Int),
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value

  func beginObserver(_ number: UInt64, _ title: String)
  func endObserver(_ number: UInt64)
}

extension GraphCache {
  /// Runs a piece of work, and records it if the cache is traced.
  nonisolated(nonsending) func traced<Value>(
    _ work: @autoclosure () -> CacheWork, for observer: Observer.ID? = nil,
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    guard let recorder else { return try await body() }
    return try await recorder.record(
      work(), for: observer,
      reads: { state.withLock { ($0.map.tally.hits, $0.map.tally.misses) } }, body)
  }

  package typealias ObserverOutline = (number: UInt64, type: String?, title: String)
  package typealias LeaseOutline = (
    number: UInt64, name: String?, caller: CallSite?, count: Int, since: Duration?
  )

  /// The statistics, the observers in the order of their creation, and the leases.
  package func outline() -> (
    statistics: Statistics, observers: [ObserverOutline], leases: [LeaseOutline]
  ) {
    state.withLock { state in
      (
        Statistics(state, schema),
        state.observers.outlines.sorted { $0.number < $1.number }.map {
          ($0.number, $0.type.map { schema.type($0).recordName }, $0.title)
        },
        state.leases.holders.map { ($0, $1.name, $1.caller, $1.count, $1.since) }
      )
    }
  }
}
