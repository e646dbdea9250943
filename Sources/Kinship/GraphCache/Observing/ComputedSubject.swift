/// The difference between two values that are computed: the old value.
public struct ValueDiff<Value: Sendable>: ObservedDifference {
  /// The value.
  public typealias Record = Value

  /// The previous value; `nil` in the first element.
  public let old: Value?
}

/// A value that is computed from the records that match a query, as an observer follows it.
struct ComputedSubject<R: GraphRecord, Value: Equatable & Sendable>: Subject {
  private let request: QueryValue<R, Value>
  private var shown: Value?

  init(_ request: QueryValue<R, Value>) { self.request = request }

  var title: String { "\(request.title) of a query, \(request.query.outline)" }
  var type: String? { R.recordName }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, ValueDiff<Value>>) {
    let observer = cache.startObserver(.changes(of: try request.query.types(in: cache.schema)))
    let value = try await cache.value(of: request, from: .dataLayer)
    shown = value
    return (observer, ObservedChange(value: value, diff: ValueDiff(old: nil)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Value>
  ) async throws -> ObservedChange<Value, ValueDiff<Value>>? {
    let cache = observer.cache
    // A change while the value is computed is marked again. The marks hold no records.
    cache.state.withLock { $0.observers.dropMarks(of: observer.id) }
    let value = try await cache.value(of: request, from: .dataLayer)
    if value == shown { return nil }
    defer { shown = value }
    if let shown, !comparison.counts(shown, value) { return nil }
    return ObservedChange(value: value, diff: ValueDiff(old: shown))
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    _ = try await cache.refresh(request.query)
    return .zero
  }
}
