public import Observation

/// The rows of a query's result on the main actor, loaded as they are shown.
///
/// It is for SwiftUI, table views and other observers of `@Observable` objects.
///
/// ```swift
/// let tracks = WindowedResults(cache, .long(rock))
/// let titles = (0..<tracks.count).map { tracks[$0]?.name ?? "…" }
/// ```
///
/// A row is identified by its position, which it keeps until ``refresh()``, so a placeholder and
/// the record that replaces it are one row. Reading a row that is not loaded starts its load, and
/// observers are notified when it arrives. So read only the rows that are shown, and keep more
/// windows than are shown at once.
///
/// The rows are those of a ``QueryResults``: they do not follow changes, but ``refresh()`` repeats
/// the query. Until a row is loaded again, its previous record is shown. To follow a whole result,
/// use ``Live``.
///
/// If a load fails, ``error`` says why, and nothing more is loaded until you call ``refresh()`` or
/// ``retry()``.
@MainActor
@Observable
public final class WindowedResults<R: GraphRecord> {
  /// Whether a count is in progress.
  public private(set) var isLoading = false
  /// The error of the last load, if it failed.
  public private(set) var error: (any Error)?

  private var results: QueryResults<R>?
  /// The number of arrivals, which readers of a missing row observe.
  private var arrivals = 0
  /// The previous results, shown during a refresh.
  @ObservationIgnored private var earlier: QueryResults<R>?
  @ObservationIgnored private let ask: @Sendable () async throws -> QueryResults<R>
  @ObservationIgnored private var counting: Following?
  /// Whether the last requested count has not succeeded yet.
  @ObservationIgnored private var isOutdated = true
  /// The tasks that wait for windows.
  @ObservationIgnored private var loading: [Int: Following] = [:]

  /// Counts the records that match a query, and loads them as you read them.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - query: The query.
  ///   - windowSize: The number of records to load together, at least 1.
  ///   - windowCapacity: The number of windows to keep, at least 2.
  ///   - readAhead: The distance to the end of a window at which the next one is loaded; the
  ///     default is half a window.
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

  /// The number of rows: 0 until they are counted.
  public var count: Int { results?.count ?? 0 }

  /// The record of a row, if it is loaded; reading it otherwise loads it.
  ///
  /// - Parameter index: The row.
  /// - Returns: The record; `nil` while it is loading, and if there is none.
  /// - Complexity: O(1).
  public subscript(index: Int) -> R? {
    _ = arrivals
    guard let results else { return nil }
    guard error == nil else { return results.peek(index) ?? earlier?.peek(index) }
    let window = index / results.windowSize
    if loading[window] != nil { return results.peek(index) ?? earlier?.peek(index) }
    switch results.ask(for: index) {
    case .here(let record): return record
    case .pending(let arrival):
      loading[window] = follow(arrival, of: window)
      return earlier?.peek(index)
    }
  }

  /// Counts again, and reloads records as you read them.
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

  /// Continues after a failure; does nothing if there was none.
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
