#if PostgreSQL
  /// The pace of notifications: one commit is notified at once, and commits soon after it together.
  ///
  /// A notification is a transaction, and costs as much as a small commit. Continuous commits would
  /// each pay for one, and listeners would ask as often. So there is a pause after each
  /// notification, and it grows with the number of commits that the notification covers.
  struct NotificationPace {
    /// The pause after a notification, for each commit that it covers.
    static let restPerCommit = Duration.milliseconds(4)
    static let longestRest = Duration.milliseconds(20)

    /// The number of commits for the next notification.
    private var commits = 0
    /// Whether a notification is scheduled or being sent.
    private var isUnderway = false
    /// The pause after the notification that is being sent.
    private var rest = Duration.zero
    /// The earliest time of the next one; `nil` before the first.
    private var next: ContinuousClock.Instant?

    /// Counts a commit.
    ///
    /// - Returns: The time at which to send a notification; `nil` if one is scheduled that covers
    ///   the commit.
    mutating func noteCommit(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      commits += 1
      guard !isUnderway else { return nil }
      isUnderway = true
      return next.map { max($0, now) } ?? now
    }

    /// Begins to send a notification, which covers all commits until now.
    mutating func beginSending() {
      rest = min(Self.restPerCommit * commits, Self.longestRest)
      commits = 0
    }

    /// Ends sending a notification, whether it succeeded or not.
    ///
    /// - Returns: The time at which to send the next one; `nil` if there were no commits in the
    ///   meantime.
    mutating func endSending(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      next = now + rest
      isUnderway = commits > 0
      return isUnderway ? next : nil
    }
  }
#endif
