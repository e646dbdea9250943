public import Foundation
internal import Kinship
internal import Synchronization

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The server behind a backing store: sends requests, and handles what HTTP has for caches.
///
/// ```swift
/// return try await source.answer(to: URLRequest(url: url, timeoutInterval: 10)) { data in
///   try JSONDecoder().decode(Answer.self, from: data)
/// }
/// ```
///
/// - An answer with an `ETag` is remembered with its decoded value. The next request for the same
///   address is conditional: if the server says that nothing has changed (304), the value is
///   returned without decoding.
/// - If the server asks to come back later (429 or 503 with `Retry-After`), the source waits and
///   asks again.
/// - Every error is an ``HTTPFailure``, or a `CancellationError` if the task is cancelled.
public struct HTTPSource: Sendable {
  /// The work of a source so far.
  public struct Statistics: Hashable, Sendable {
    /// The requests that were sent.
    public var requests = 0
    /// The answers that were decoded.
    public var decodings = 0
    /// The answers that said that nothing has changed.
    public var unchanged = 0
  }

  private struct Remembered: Sendable {
    let tag: String
    let value: any Sendable
  }

  private final class State: Sendable {
    let answers = Mutex<[URL?: Remembered]>([:])
    let statistics = Mutex(Statistics())

    func update(_ change: (inout Statistics) -> Void) { statistics.withLock { change(&$0) } }
  }

  private let session: URLSession
  private let clock: any Clock<Duration>
  private let attempts: Int
  private let longestWait: Duration
  private let capacity: Int
  private let state = State()

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - session: The session that sends the requests.
  ///   - clock: The clock for waiting.
  ///   - attempts: How often a request is sent at most, at least once.
  ///   - longestWait: The longest `Retry-After` to wait for; a longer one throws
  ///     ``HTTPFailure/busy(_:status:retryAfter:)`` at once.
  ///   - capacity: The largest number of answers that are remembered.
  public init(
    session: URLSession = .shared, clock: any Clock<Duration> = ContinuousClock(),
    attempts: Int = 3, longestWait: Duration = .seconds(30), capacity: Int = 1_000
  ) {
    self.session = session
    self.clock = clock
    self.attempts = attempts
    self.longestWait = longestWait
    self.capacity = capacity
  }

  /// The work so far.
  public var statistics: Statistics { state.statistics.withLock { $0 } }

  /// Returns the decoded answer to a request that reads.
  ///
  /// - Parameters:
  ///   - request: The request. Requests for the same address must mean the same.
  ///   - decode: Decodes the body; it is not called for an unchanged answer.
  /// - Returns: The value.
  /// - Throws: ``HTTPFailure``, or `CancellationError` if the task is cancelled.
  public func answer<Value: Sendable>(
    to request: URLRequest, decoding decode: (Data) throws -> Value
  ) async throws -> Value {
    var request = request
    let url = request.url
    let known = state.answers.withLock { $0[url] }
    let value = known?.value as? Value
    if let known, value != nil {
      request.setValue(known.tag, forHTTPHeaderField: "If-None-Match")
    }
    let (data, response) = try await send(request)
    if response.statusCode == 304, let value {
      state.update { $0.unchanged += 1 }
      return value
    }
    state.update { $0.decodings += 1 }
    let new: Value
    do { new = try decode(data) } catch { throw HTTPFailure.undecodable(url, cause: error) }
    let tag = response.value(forHTTPHeaderField: "ETag")
    state.answers.withLock { answers in
      if answers[url] == nil, answers.count >= capacity { answers.removeAll() }
      answers[url] = tag.map { Remembered(tag: $0, value: new) }
    }
    return new
  }

  /// Sends a request, again if the server asks to come back later.
  ///
  /// - Parameter request: The request.
  /// - Returns: The body and the response, whose status is 2xx or 304.
  /// - Throws: ``HTTPFailure``, or `CancellationError` if the task is cancelled.
  @discardableResult
  public func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    var request = request
    let url = request.url
    // The session's own cache would hide a 304.
    request.cachePolicy = .reloadIgnoringLocalCacheData
    var attempt = 1
    while true {
      let (data, response) = try await reply(to: request, url)
      switch response.statusCode {
      case 200..<300, 304: return (data, response)
      case 429, 503:
        guard let wait = response.retryAfter, wait <= longestWait, attempt < attempts else {
          throw HTTPFailure.busy(
            url, status: response.statusCode, retryAfter: response.retryAfter)
        }
        attempt += 1
        try await clock.sleep(for: wait)
      case let status: throw HTTPFailure.status(url, status, body: data)
      }
    }
  }

  private func reply(
    to request: URLRequest, _ url: URL?
  ) async throws -> (Data, HTTPURLResponse) {
    try Task.checkCancellation()
    state.update { $0.requests += 1 }
    do {
      let (data, response) = try await session.data(for: request)
      if let response = response as? HTTPURLResponse { return (data, response) }
      throw URLError(.badServerResponse)
    } catch {
      try Task.checkCancellation()
      let isUnsent = (error as? URLError).map { Self.unsent.contains($0.code) } ?? false
      throw HTTPFailure.unreachable(url, isUnsent: isUnsent, cause: error)
    }
  }

  /// The errors before anything is sent.
  private static let unsent: Set<URLError.Code> = [
    .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
    .dataNotAllowed, .internationalRoamingOff, .callIsActive,
  ]
}

extension HTTPURLResponse {
  /// The time to wait before the next request, if the server says so.
  fileprivate var retryAfter: Duration? {
    guard let text = value(forHTTPHeaderField: "Retry-After") else { return nil }
    if let seconds = Int(text) { return .seconds(max(0, seconds)) }
    // A date counts from the server's own, whose clock may differ from this one.
    guard let date = Self.date(text), let now = value(forHTTPHeaderField: "Date").flatMap(Self.date)
    else { return nil }
    return .seconds(max(0, date.timeIntervalSince(now)))
  }

  private static func date(_ text: String) -> Date? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return format.date(from: text)
  }
}
