/// The answer to a query, of which records are loaded as they are read: by position, or in order.
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
/// Records are loaded in windows, and a number of these is kept. To show twenty rows of ten million
/// takes one count and one window; to scroll on takes one call for each window, which is asked for
/// before the reader has come there, by the key of the record that it follows. Whoever reads far
/// from all that is known has the store skip what lies between that and the nearest known place.
///
/// Positions are those of the moment when it was counted; ``refresh()`` counts anew. A window that
/// is loaded later shows what is there by then, and what is kept stays as it was loaded:
///
/// - Of windows that lie side by side and are kept, one goes on where the other ends: a record that
///   stays where it is among the others is in one of them alone, whatever comes and goes. Where
///   what comes after a window is no longer what the next one begins with, that is loaded again.
/// - Where there are fewer records by now than were counted, positions at the end have none.
public final class QueryResults<R: GraphRecord>: Sendable {
  private struct State: Sendable {
    var windows: ResultWindows<R>
    /// By window, those who wait for it; `nil` tells them to ask again.
    var waiting: [Int: [Promise<ResultWindow<R>?>]] = [:]
    /// By window, what loads it.
    var loads: [Int: Task<Void, Never>] = [:]
    /// How often it was begun to count anew, and the last time of which that was made use of.
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

  /// How many records are loaded together.
  public let windowSize: Int

  /// How many records there were when that was asked.
  public var count: Int { state.withLock { $0.windows.count } }

  /// Whether there were none.
  public var isEmpty: Bool { count == 0 }

  // MARK: Reading by position

  /// The record at a position, which is loaded if it is not kept.
  ///
  /// A window is loaded once, however many wait for it, and whoever of them is cancelled. If that
  /// fails, all who wait are told, and the next one to read it tries again.
  ///
  /// - Parameter index: The position, from 0 on.
  /// - Returns: The record; `nil` if there is none: for any position that is not less than
  ///   ``count``, and where records have gone since they were counted.
  /// - Throws: What ``GraphCache/find(_:from:within:)`` throws.
  /// - Complexity: O(1) if it is kept; otherwise that of finding a window.
  public subscript(index: Int) -> R? {
    get async throws {
      while true {
        switch ask(for: index) {
        case .here(let record): return record
        case .coming(let window):
          if let window = try await window.value() { return window.record(index % windowSize) }
        }
      }
    }
  }

  /// The record at a position, if it is kept.
  ///
  /// It waits for nothing, loads nothing, and leaves no trace.
  ///
  /// - Parameter index: The position.
  /// - Returns: The record; `nil` if it is not kept, or there is none.
  /// - Complexity: O(1).
  public func peek(_ index: Int) -> R? { state.withLock { $0.windows.peek(index) } }

  /// What comes of asking for a position.
  enum Arrival {
    case here(R?)
    /// Its window, once that is loaded; `nil` says to ask again.
    case coming(Promise<ResultWindow<R>?>)
  }

  /// The record at a position, if it is kept, or else what loads it: who asks is told of it.
  func ask(for index: Int) -> Arrival {
    change { state in
      switch state.windows.read(index) {
      case .known(let record): return .here(record)
      case .wanted(let window):
        let promise = Promise<ResultWindow<R>?>()
        state.waiting[window, default: []].append(promise)
        return .coming(promise)
      }
    }
  }

  /// Counts anew, and lets go of all that is kept.
  ///
  /// If that fails, everything is as it was.
  ///
  /// - Throws: What ``GraphCache/count(_:from:)`` throws.
  /// - Complexity: That of ``GraphCache/count(_:from:)``.
  public func refresh() async throws {
    let number = state.withLock { state in
      state.counts.begun += 1
      return state.counts.begun
    }
    let count = try await cache.count(query)
    let (waiting, loads) = change { state -> ([Promise<ResultWindow<R>?>], [Task<Void, Never>]) in
      // What was asked earlier is not to come later.
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

  /// Changes what is held, and asks for what is then wanted.
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

  /// Loads a window, whoever waits for it: unless nobody refers to the results any longer.
  private func load(_ request: ResultWindows<R>.Request) {
    let load = Task(executorPreference: cache.executor) { [weak self, cache, query] in
      let result: Result<ResultWindow<R>, any Error>
      do {
        result = .success(
          ResultWindow(try await cache.find(request.query), to: request, in: query))
      } catch {
        result = .failure(error)
      }
      self?.end(request, result)
    }
    // It may have ended by now.
    state.withLock { if $0.windows.isUnderway(request) { $0.loads[request.window] = load } }
  }

  private func end(
    _ request: ResultWindows<R>.Request, _ result: Result<ResultWindow<R>, any Error>
  ) {
    let waiting = change { state -> [Promise<ResultWindow<R>?>] in
      guard state.windows.isUnderway(request) else { return [] }
      state.loads[request.window] = nil
      switch result {
      case .success(let window): state.windows.take(window, to: request)
      case .failure: state.windows.end(request)
      }
      return state.waiting.removeValue(forKey: request.window) ?? []
    }
    for waiter in waiting { waiter.resolve(result.map { $0 }) }
  }
}
