/// What a cache that follows a store knows of it, and what it has to do next: it decides, and never
/// waits.
///
/// Times are those since the cache was made, by its clock.
struct FollowingState: Sendable {
  /// Which of the followings of a cache it is: one follows upon another.
  let number: UInt64
  let limits: FollowingLimits
  /// The places in the log up to which what memory holds is known: one, unless something was
  /// restored that is known up to another.
  private var places: [StoreCursor?]
  /// The place as it was when no commit was under way: what the log has told of such a commit since
  /// is not in memory yet.
  private var settled: StoreCursor?
  /// When the last poll began of which memory knows the answer.
  private(set) var asOf: Duration?
  private(set) var failure: (since: Duration, cause: any Error)?
  /// When what was in memory was forgotten, out of contact.
  private var forgotten: Duration?
  /// When it began, or something was restored.
  private var start: Duration
  private var commits: OwnCommits
  private var polls: UInt64 = 0
  /// Who waits until what has been committed before is known.
  private var requests: [Promise<Void>] = []
  /// What the next poll waits for.
  private var pause: Promise<Void>?
  /// Whether that is for no change, but for whoever waits for a poll.
  private var isBreathing = false
  /// When the last poll ended, and until when there is to be none unless somebody waits for it.
  private var ended: (at: Duration, breath: Duration)
  /// Whether there is to be no pause before the next poll.
  private var isWoken = false
  /// Who listens, until the poll begins that it has woken.
  private var listener: Promise<Void>?

  init(
    number: UInt64, _ limits: FollowingLimits, since places: [StoreCursor?], at now: Duration
  ) {
    self.number = number
    self.limits = limits
    self.places = places
    settled = places.first ?? nil
    start = now
    ended = (now, now)
    commits = OwnCommits(cache: .random(in: 0 ... .max))
  }

  /// Runs a closure with itself; for a state that is optional.
  mutating func run<Result>(_ body: (inout FollowingState) -> Result) -> Result { body(&self) }

  /// The place in the log up to which memory knows all.
  var cursor: StoreCursor? { places.count == 1 ? settled : nil }

  /// Something is restored that is known up to a place.
  mutating func noteRestoring(since place: StoreCursor, at now: Duration) {
    if !places.contains(place) { places.append(place) }
    commits.noteRestoring()
    (asOf, start) = (nil, now)
  }

  // MARK: Polls

  /// A poll: from where on it asks, and who waits for it.
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

  /// What of an answer memory must forget.
  mutating func take(_ answer: StoreChanges, to poll: Poll) -> [StoreChange.Extent] {
    commits.take(answer.changes, poll: poll.number)
  }

  /// Memory knows the answer to a poll.
  mutating func end(_ poll: Poll, _ answer: StoreChanges, at now: Duration) {
    places = [answer.cursor] + places.filter { !poll.places.contains($0) }
    if places.count == 1 { asOf = poll.start }
    settle()
    failure = nil
    forgotten = nil
    noteEnd(of: poll, at: now)
  }

  /// A poll has failed.
  mutating func end(_ poll: Poll, failing cause: any Error, at now: Duration) {
    failure = (failure?.since ?? now, cause)
    noteEnd(of: poll, at: now)
  }

  /// Where changes come faster than they can be asked for, many caches that ask without a break
  /// would take all the time of the store, and each poll would take longer.
  private mutating func noteEnd(of poll: Poll, at now: Duration) {
    ended = (now, now + min((now - poll.start) * 2, limits.interval / 10))
  }

  /// How long to wait until it is looked again whether a poll is due, and for what; `nil` if it is.
  mutating func rest(at now: Duration) -> (promise: Promise<Void>, most: Duration)? {
    if !requests.isEmpty { return nil }
    isBreathing = now < ended.breath
    // Who is back is to be found soon.
    let interval = failure == nil ? limits.interval : min(limits.interval, .milliseconds(100))
    let due = isBreathing ? ended.breath : isWoken ? now : ended.at + interval
    guard now < due else { return nil }
    let promise = Promise<Void>()
    pause = promise
    return (promise, due - now)
  }

  /// Has the next poll begin at once, or as soon as the one has ended that is under way; for nobody
  /// who waits for it, after a break.
  ///
  /// - Parameter request: Who waits for it.
  /// - Returns: What it waits for.
  mutating func wake(for request: Promise<Void>? = nil) -> Promise<Void>? {
    isWoken = true
    if let request { requests.append(request) }
    if request == nil, isBreathing { return nil }
    defer { pause = nil }
    return pause
  }

  /// What whoever has heard of a change waits for: until the poll begins, there is no need to hear
  /// of more; `nil` if it has begun.
  mutating func awaitPoll() -> Promise<Void>? {
    guard isWoken else { return nil }
    let promise = Promise<Void>()
    listener = promise
    return promise
  }

  /// Those who wait for a poll that will never be.
  mutating func takeRequests() -> [Promise<Void>] {
    defer { requests = [] }
    return requests
  }

  // MARK: The bound

  /// What is to be done so that nothing is served for longer than it may.
  enum Watch: Sendable {
    case wait(Duration)
    case forget
  }

  /// Until when what is in memory may be served; `nil` if it may be at any time.
  ///
  /// Timers have it dropped before, unless they are late.
  var end: Duration? {
    guard case .forget = limits.outOfContact else { return nil }
    return (forgotten ?? asOf ?? start) + limits.maximumStaleness
  }

  mutating func watch(at now: Duration) -> Watch {
    guard case .forget = limits.outOfContact else { return .wait(limits.maximumStaleness) }
    // A quarter is left for timers that are late; what is read out of contact is as old as it was
    // when it was asked for.
    let due =
      forgotten.map { $0 + limits.maximumStaleness / 2 }
      ?? (asOf ?? start) + limits.maximumStaleness * 3 / 4
    if now < due { return .wait(due - now) }
    forgotten = now
    return .forget
  }

  // MARK: Commits

  mutating func beginCommit() -> CommitID { commits.begin() }

  /// Ends a commit; returns what memory must forget.
  mutating func endCommit(
    _ commit: CommitID, changing refs: Set<AnyRef>?
  ) -> [StoreChange.Extent] {
    defer { settle() }
    return commits.end(commit, changing: refs, poll: polls)
  }

  private mutating func settle() { if !commits.areUnderway { settled = places[0] } }
}
