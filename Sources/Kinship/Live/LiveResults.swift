public import Observation

/// The rows of a query's answer on the main actor, which are loaded as they are shown: for SwiftUI,
/// table views, and whatever else observes `@Observable` objects.
///
/// ```swift
/// let tracks = LiveResults(cache, .long(rock))
/// let titles = (0..<tracks.count).map { tracks[$0]?.name ?? "…" }
/// ```
///
/// A row is told by its position, which it keeps until ``refresh()``, so that a placeholder and the
/// record that takes its place are one row. To read one that is not there starts to load it, and
/// whoever observes is told when it has come. So read those that are shown, and no others; and have
/// more windows kept than are shown at once.
///
/// The rows are those of a ``QueryResults``: they do not follow changes, but ``refresh()`` asks
/// anew. Until a row has come again, what it was before is shown. To follow all of an answer, use
/// ``Live``.
///
/// If a load fails, ``error`` says why, and nothing is loaded any longer until ``refresh()`` or
/// ``retry()`` is called.
@MainActor
@Observable
public final class LiveResults<R: GraphRecord> {
  /// Whether it is being counted, at first or anew.
  public private(set) var isLoading = false
  /// Why the last load failed, if it did.
  public private(set) var error: (any Error)?

  private var results: QueryResults<R>?
  /// How often rows have come: who reads one is told of the next.
  private var arrivals = 0
  /// What was shown before it was asked anew.
  @ObservationIgnored private var earlier: QueryResults<R>?
  @ObservationIgnored private let ask: @Sendable () async throws -> QueryResults<R>
  @ObservationIgnored private var counting: Following?
  /// Whether it was not counted since that was last asked for.
  @ObservationIgnored private var isOutdated = true
  /// By window, what waits for it.
  @ObservationIgnored private var loading: [Int: Following] = [:]

  /// Counts the records that a query asks for, and loads them as they are read.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - windowSize: How many records are loaded together, at least 1.
  ///   - windowCapacity: How many such windows are kept, at least 2.
  ///   - readAhead: How near to the end of a window the next one is loaded: by default half a
  ///     window.
  public init(
    _ cache: GraphCache, _ query: RecordQuery<R>, windowSize: Int = 50, windowCapacity: Int = 20,
    readAhead: Int? = nil
  ) {
    ask = {
      try await cache.results(
        query, windowSize: windowSize, windowCapacity: windowCapacity, readAhead: readAhead)
    }
    refresh()
  }

  /// How many rows there are: 0 until they are counted.
  public var count: Int { results?.count ?? 0 }

  /// The record of a row, if it is there; else it is loaded.
  ///
  /// - Parameter index: The row.
  /// - Returns: The record; `nil` while it is loaded, and where there is none.
  /// - Complexity: O(1).
  public subscript(index: Int) -> R? {
    _ = arrivals
    guard let results else { return nil }
    guard error == nil else { return results.peek(index) ?? earlier?.peek(index) }
    let window = index / results.windowSize
    if loading[window] != nil { return results.peek(index) ?? earlier?.peek(index) }
    switch results.ask(for: index) {
    case .here(let record): return record
    case .coming(let arrival):
      loading[window] = follow(arrival, of: window)
      return earlier?.peek(index)
    }
  }

  /// Counts anew, and loads anew what is then read.
  public func refresh() {
    error = nil
    isLoading = true
    isOutdated = true
    counting = Following(
      task: Task { [weak self, ask] in
        do {
          let results = try await ask()
          if !Task.isCancelled { self?.show(results) }
        } catch {
          if !Task.isCancelled { self?.fail(error) }
        }
      })
  }

  /// Goes on after a failure; does nothing if there was none.
  public func retry() {
    guard error != nil else { return }
    if isOutdated { refresh() } else { error = nil }
  }

  private func show(_ results: QueryResults<R>) {
    earlier = self.results
    loading = [:]
    self.results = results
    isLoading = false
    isOutdated = false
  }

  private func fail(_ error: any Error) {
    self.error = error
    isLoading = false
  }

  private func follow(
    _ arrival: Promise<ResultWindow<R>?>, of window: Int
  ) -> Following {
    Following(
      task: Task { [weak self] in
        do {
          _ = try await arrival.value()
          if !Task.isCancelled { self?.arrivals += 1 }
        } catch {
          if !Task.isCancelled { self?.fail(error) }
        }
        if !Task.isCancelled { self?.loading[window] = nil }
      })
  }
}
