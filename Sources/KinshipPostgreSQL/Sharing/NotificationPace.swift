#if PostgreSQL
  /// When those who listen are told of commits: of one at once, of those that follow soon after it
  /// together, once some time has passed.
  ///
  /// A notification is a transaction, and costs as much as a small commit. Whoever commits all the
  /// time would pay for one each time, and those who listen would ask as often. So it waits after
  /// each: the longer the more there is to tell.
  struct NotificationPace {
    /// How much time passes after a notification for each commit that it told of.
    static let restPerCommit = Duration.milliseconds(4)
    static let longestRest = Duration.milliseconds(20)

    /// How many commits the next one is to tell of.
    private var commits = 0
    /// Whether somebody is about to send one, or does.
    private var isUnderway = false
    /// How much time is to pass after the one that is sent.
    private var rest = Duration.zero
    /// When the next one may be sent; `nil` before the first.
    private var next: ContinuousClock.Instant?

    /// Something has been committed.
    ///
    /// - Returns: When a notification is to be sent; `nil` if one will be that tells of it.
    mutating func noteCommit(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      commits += 1
      guard !isUnderway else { return nil }
      isUnderway = true
      return next.map { max($0, now) } ?? now
    }

    /// A notification is about to be sent: it tells of all that was committed until now.
    mutating func beginSending() {
      rest = min(Self.restPerCommit * commits, Self.longestRest)
      commits = 0
    }

    /// A notification was sent, or could not be.
    ///
    /// - Returns: When the next one is to be sent; `nil` if nothing was committed meanwhile.
    mutating func endSending(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      next = now + rest
      isUnderway = commits > 0
      return isUnderway ? next : nil
    }
  }
#endif
