/// The result of a query, whose records are loaded as you read them, by position or in order.
///
/// ```swift
/// let results = try await cache.results(.long(rock), windowSize: 50)
/// let howMany = results.count
/// let track = try await results[4_711]
/// for try await track in results {
///   show(track.name)
/// }
/// ```
///
/// Records are loaded in windows, and a number of these is kept. Showing twenty rows of ten million
/// takes one count and one window. Scrolling on takes one call for each window, which is requested
/// ahead of the reader, by the key of the record that it follows. If you read far from every known
/// position, the store must skip the records between that position and the nearest known one.
///
/// Positions are those of the moment of the count; ``refresh()`` counts again. A window that is
/// loaded later shows the records that exist then, and kept windows do not change:
///
/// - Adjacent windows that are kept continue each other: a record that keeps its place among the
///   others is in exactly one of them, whatever is inserted or removed. If the next window no
///   longer begins with what follows a window, it is loaded again.
/// - If there are fewer records now than were counted, positions at the end have none.
public final class QueryResults<R: GraphRecord>: Sendable {
  private struct State: Sendable {
    var windows: ResultWindows<R>
    /// The callers that wait for each window; `nil` makes them ask again.
    var waiting: [Int: [Promise<ResultWindow<R>?>]] = [:]
    /// The tasks that load windows.
    var loads: [Int: Task<Void, Never>] = [:]
    /// The number of counts begun, and the last count used.
    var counts = (begun: 0, used: 0)
  }

  /// The query.
  public let query: RecordQuery<R>
  let cache: GraphCache
  private let state: Lock<State>

  init(_ cache: GraphCache, _ query: RecordQuery<R>, _ windows: ResultWindows<R>) {
    self.cache = cache
    self.query = query
    windowSize = windows.size
    state = Lock(State(windows: windows))
  }

  deinit {
    for load in state.withLock(\.loads.values) { load.cancel() }
  }

  /// The number of records in a window.
  public let windowSize: Int

  /// The number of records at the last count.
  public var count: Int { state.withLock { $0.windows.count } }

  /// Whether the last count was zero.
  public var isEmpty: Bool { count == 0 }

  // MARK: Reading by position

  /// The record at a position, which is loaded if it is not kept.
  ///
  /// A window is loaded once, however many callers wait for it, and even if some of them are
  /// cancelled. If the load fails, all waiting callers get the error, and the next read tries
  /// again.
  ///
  /// - Parameter index: The position, from 0 on.
  /// - Returns: The record; `nil` if there is none: at any position that is not less than
  ///   ``count``, and where records have been removed since the count.
  /// - Throws: The errors of ``RecordQuery/find(in:_:)``.
  /// - Complexity: O(1) if it is kept; otherwise the cost of finding a window.
  public subscript(index: Int) -> R? {
    get async throws {
      while true {
        switch ask(for: index) {
        case .here(let record): return record
        case .pending(let window):
          if let window = try await window.value() { return window.record(index % windowSize) }
        }
      }
    }
  }

  /// Returns the record at a position, if it is kept.
  ///
  /// It does not wait, load anything, or change which windows are kept.
  ///
  /// - Parameter index: The position.
  /// - Returns: The record; `nil` if it is not kept, or there is none.
  /// - Complexity: O(1).
  public func peek(_ index: Int) -> R? { state.withLock { $0.windows.peek(index) } }

  /// The outcome of a request for a position.
  enum RowRequest {
    case here(R?)
    /// The promise of its window; `nil` means to ask again.
    case pending(Promise<ResultWindow<R>?>)
  }

  /// Returns the record at a position, if it is kept, or a promise of its window.
  func ask(for index: Int) -> RowRequest {
    change { state in
      switch state.windows.read(index) {
      case .known(let record): return .here(record)
      case .wanted(let window):
        let promise = Promise<ResultWindow<R>?>()
        state.waiting[window, default: []].append(promise)
        return .pending(promise)
      }
    }
  }

  /// Counts again, and drops all kept windows.
  ///
  /// If that fails, nothing changes.
  ///
  /// - Throws: The errors of ``RecordQuery/count``.
  /// - Complexity: Same as ``RecordQuery/count``.
  public func refresh() async throws {
    let number = state.withLock { state in
      state.counts.begun += 1
      return state.counts.begun
    }
    let count = try await cache.find(query.count)
    let (waiting, loads) = change { state -> ([Promise<ResultWindow<R>?>], [Task<Void, Never>]) in
      // An earlier count must not replace a later one.
      guard number > state.counts.used else { return ([], []) }
      state.counts.used = number
      state.windows.renew(count: count)
      defer { (state.waiting, state.loads) = ([:], [:]) }
      return (state.waiting.values.flatMap(\.self), Array(state.loads.values))
    }
    for load in loads { load.cancel() }
    for waiter in waiting { waiter.resolve(.success(nil)) }
  }

  // MARK: Loading

  /// Changes the state, and loads the windows that are then needed.
  private func change<Result: Sendable>(
    _ body: @Sendable (inout State) -> Result
  ) -> Result {
    let (result, requests, dropped) = state.withLock { state in
      (body(&state), state.windows.takeRequests(), state.windows.takeDropped())
    }
    withExtendedLifetime(dropped) {}
    for request in requests { load(request) }
    return result
  }

  /// Loads a window for all waiting callers, unless the results are no longer referenced.
  private func load(_ request: ResultWindows<R>.Request) {
    let load = Task(executorPreference: cache.executor) { [weak self, cache, query] in
      let result: Result<ResultWindow<R>, any Error>
      do {
        result = .success(
          ResultWindow(try await cache.records(for: request.query), to: request, in: query))
      } catch {
        result = .failure(error)
      }
      self?.end(request, result)
    }
    // It may already have ended.
    state.withLock { if $0.windows.isUnderway(request) { $0.loads[request.window] = load } }
  }

  private func end(
    _ request: ResultWindows<R>.Request, _ result: Result<ResultWindow<R>, any Error>
  ) {
    let waiting = change { state -> [Promise<ResultWindow<R>?>] in
      guard state.windows.isUnderway(request) else { return [] }
      state.loads[request.window] = nil
      switch result {
      case .success(let window): state.windows.store(window, to: request)
      case .failure: state.windows.end(request)
      }
      return state.waiting.removeValue(forKey: request.window) ?? []
    }
    for waiter in waiting { waiter.resolve(result.map { $0 }) }
  }
}
