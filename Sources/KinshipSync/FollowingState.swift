internal import Kinship

/// The state of a cache that follows a store: it decides what to do next, and never waits.
///
/// All times are since the cache was created, by its clock.
struct FollowingState: StoreFollower {
  /// A number that no other following has.
  let number = UInt64.random(in: 0 ... .max)
  let limits: FollowingLimits
  /// The log positions up to which memory is known: one, unless something was restored from another
  /// position.
  private var places: [StoreCursor?]
  /// The position when no commit was in progress: memory does not yet have what the log has said of
  /// a commit since.
  private var settled: StoreCursor?
  /// The start of the last poll whose answer is in memory.
  private(set) var asOf: Duration?
  private(set) var failure: (since: Duration, cause: any Error)?
  /// When memory was dropped because the store was unreachable.
  private var forgotten: Duration?
  /// When following began, or something was restored.
  private var start: Duration
  private var commits: OwnCommits
  private var polls: UInt64 = 0
  /// The callers that wait until everything committed before is known.
  private var requests: [Promise<Void>] = []
  /// The promise that the next poll waits for.
  private var pause: Promise<Void>?
  /// Whether the pause ends only for a waiting caller, not for a change.
  private var isInBreak = false
  /// When the last poll ended, and the time before which the next one starts only if a caller
  /// waits.
  private var ended: (at: Duration, breakEnd: Duration)
  /// Whether the next poll starts without a pause.
  private var isWoken = false
  /// The listener, until the poll that it has woken begins.
  private var listener: Promise<Void>?

  init(_ limits: FollowingLimits, since places: [StoreCursor?], at now: Duration) {
    self.limits = limits
    self.places = places
    settled = places.first ?? nil
    start = now
    ended = (now, now)
    commits = OwnCommits(cache: number)
  }

  /// The log position up to which memory is complete.
  var cursor: StoreCursor? { places.count == 1 ? settled : nil }

  /// The start of a following without a position counts only if nothing was restored: what was
  /// restored is older.
  var cursors: [StoreCursor] { ([settled] + places.dropFirst()).compactMap { $0 } }

  var isUpToDate: Bool { places.count == 1 && asOf != nil }

  func mustPoll(from place: StoreCursor) -> Bool { places.contains(place) }

  mutating func prepareForRestoration(since place: StoreCursor, at now: Duration) {
    if !places.contains(place) { places.append(place) }
    commits.prepareForRestoration()
    (asOf, start) = (nil, now)
  }

  // MARK: Polls

  /// A poll: its start position, and its waiting callers.
  struct Poll: Sendable {
    let places: [StoreCursor?]
    let start: Duration
    let requests: [Promise<Void>]
    let listener: Promise<Void>?
    fileprivate let number: UInt64
  }

  mutating func beginPoll(at now: Duration) -> Poll {
    polls += 1
    isWoken = false
    defer { (requests, listener) = ([], nil) }
    return Poll(
      places: places, start: now, requests: requests, listener: listener, number: polls)
  }

  /// Returns the part of an answer that memory must drop.
  mutating func foreignChanges(in answer: StoreChanges, of poll: Poll) -> [StoreChange.Extent] {
    commits.foreignChanges(answer.changes, poll: poll.number)
  }

  /// Ends a poll whose answer is in memory.
  mutating func end(_ poll: Poll, _ answer: StoreChanges, at now: Duration) {
    places = [answer.cursor] + places.filter { !poll.places.contains($0) }
    if places.count == 1 { asOf = poll.start }
    settle()
    failure = nil
    forgotten = nil
    setBreak(after: poll, at: now)
  }

  /// Ends a poll that has failed.
  mutating func end(_ poll: Poll, failing cause: any Error, at now: Duration) {
    failure = (failure?.since ?? now, cause)
    setBreak(after: poll, at: now)
  }

  /// Sets the break after a poll.
  ///
  /// If changes come faster than polls, many caches that poll without a break would use all of the
  /// store's time, and each poll would take longer.
  private mutating func setBreak(after poll: Poll, at now: Duration) {
    ended = (now, now + min((now - poll.start) * 2, limits.interval / 10))
  }

  /// Returns how long to wait before checking again whether a poll is due, and the promise to wait
  /// for; `nil` if one is due.
  mutating func rest(at now: Duration) -> (promise: Promise<Void>, most: Duration)? {
    if !requests.isEmpty { return nil }
    isInBreak = now < ended.breakEnd
    // During an outage, poll often enough to notice soon that the store is back.
    let interval = failure == nil ? limits.interval : min(limits.interval, .milliseconds(100))
    let due = isInBreak ? ended.breakEnd : isWoken ? now : ended.at + interval
    guard now < due else { return nil }
    let promise = Promise<Void>()
    pause = promise
    return (promise, due - now)
  }

  mutating func wake(for request: Promise<Void>?) -> Promise<Void>? {
    isWoken = true
    if let request { requests.append(request) }
    if request == nil, isInBreak { return nil }
    defer { pause = nil }
    return pause
  }

  /// Returns the promise that a listener waits for after a change; `nil` if the poll has begun.
  ///
  /// Until the poll begins, it need not hear of further changes.
  mutating func awaitPoll() -> Promise<Void>? {
    guard isWoken else { return nil }
    let promise = Promise<Void>()
    listener = promise
    return promise
  }

  /// Resumes the callers that wait for a poll that will not happen.
  func refuseRequests() {
    for request in requests { request.resolve(.failure(CancellationError())) }
  }

  // MARK: The staleness limit

  var servingDeadline: Duration? {
    guard case .drop = limits.duringOutage else { return nil }
    return (forgotten ?? asOf ?? start) + limits.maximumStaleness
  }

  mutating func watch(at now: Duration) -> Duration? {
    guard case .drop = limits.duringOutage else { return limits.maximumStaleness }
    // P1: a quarter is reserved for late timers, because a value read during an outage is as old as
    // its request.
    let due =
      forgotten.map { $0 + limits.maximumStaleness / 2 }
      ?? (asOf ?? start) + limits.maximumStaleness * 3 / 4
    if now < due { return due - now }
    forgotten = now
    return nil
  }

  // MARK: Commits

  mutating func beginCommit() -> CommitID { commits.begin() }

  mutating func endCommit(
    _ commit: CommitID, changing refs: Set<AnyRef>?
  ) -> [StoreChange.Extent] {
    defer { settle() }
    return commits.end(commit, changing: refs, poll: polls)
  }

  private mutating func settle() { if !commits.areUnderway { settled = places[0] } }
}
