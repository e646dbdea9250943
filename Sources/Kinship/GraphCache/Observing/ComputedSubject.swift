/// The difference between two values that are computed: the old value.
public struct ValueDiff<Value: Sendable>: ObservedDifference {
  /// The value.
  public typealias Record = Value

  /// The previous value; `nil` in the first element.
  public let old: Value?
}

/// A value that is computed from all records of some types, as an observer follows it.
struct ComputedSubject<Value: Equatable & Sendable>: Subject {
  let title: String
  let type: String?
  /// Returns the types whose records decide the value.
  let types: @Sendable (GraphCache) throws -> [TypeNumber]
  let compute: @Sendable (GraphCache) async throws -> Value
  /// Asks the store for all records that decide the value.
  let reload: @Sendable (GraphCache) async throws -> Void
  private var shown: Value?

  init(
    title: String, type: String?, types: @escaping @Sendable (GraphCache) throws -> [TypeNumber],
    compute: @escaping @Sendable (GraphCache) async throws -> Value,
    reload: @escaping @Sendable (GraphCache) async throws -> Void
  ) {
    (self.title, self.type, self.types) = (title, type, types)
    (self.compute, self.reload) = (compute, reload)
  }

  nonisolated(nonsending) mutating func start(
    in cache: GraphCache
  ) async throws -> (Observer, ObservedChange<Value, ValueDiff<Value>>) {
    let observer = cache.startObserver(.changes(of: try types(cache)))
    let value = try await compute(cache)
    shown = value
    return (observer, ObservedChange(value: value, diff: ValueDiff(old: nil)))
  }

  nonisolated(nonsending) mutating func next(
    _ observer: Observer, _ comparison: RecordComparison<Value>
  ) async throws -> ObservedChange<Value, ValueDiff<Value>>? {
    // A change while the value is computed is marked again.
    observer.cache.dropMarks(of: observer)
    let value = try await compute(observer.cache)
    if value == shown { return nil }
    defer { shown = value }
    if let shown, !comparison.counts(shown, value) { return nil }
    return ObservedChange(value: value, diff: ValueDiff(old: shown))
  }

  func reload(in cache: GraphCache, _ freshness: Freshness) async throws -> Duration {
    try await reload(cache)
    return .zero
  }
}

extension GraphCache {
  /// Drops the marks of an observer that needs to know only that there are some: they hold no
  /// records.
  nonisolated func dropMarks(of observer: Observer) {
    state.withLock { $0.observers.dropMarks(of: observer.id) }
  }
}
