#if PostgreSQL
  @testable import KinshipPostgreSQL
  import KinshipTesting
  import KinshipTestSupport
  import Testing

  /// The events of a store that notifies.
  enum PaceCommand: Command {
    case commit
    /// A task has waited for some milliseconds, and does what is due.
    case wait(Int)
    /// The notification in flight has been sent.
    case end
  }

  /// The pace of a store that notifies, and its sender.
  struct PaceModel {
    struct Mistake: Error { let text: String }

    private var pace = NotificationPace()
    private var now = ContinuousClock.now
    /// When a notification must be sent.
    private var due: ContinuousClock.Instant?
    private var isSending = false
    /// The time when the last one had been sent.
    private var last: ContinuousClock.Instant?
    /// The number of commits that the last notification covers.
    private var told = 0
    /// When the commits were made that no notification covers yet.
    private var open: [ContinuousClock.Instant] = []

    mutating func apply(_ command: PaceCommand) throws {
      switch command {
      case .commit:
        open.append(now)
        if let moment = pace.noteCommit(at: now) {
          guard due == nil, !isSending else { throw Mistake(text: "two send at once") }
          due = moment
        }
        guard due != nil || isSending else { throw Mistake(text: "a commit is not told of") }
      case .wait(let milliseconds):
        now += .milliseconds(milliseconds)
        try sendWhatIsDue()
      case .end:
        guard isSending else { return }
        isSending = false
        last = now
        due = pace.endSending(at: now)
        guard (due == nil) == open.isEmpty else {
          throw Mistake(text: "it goes on \(due != nil), with \(open.count) to tell of")
        }
        try sendWhatIsDue()
      }
    }

    private mutating func sendWhatIsDue() throws {
      guard let moment = due else { return }
      let rest = NotificationPace.restPerCommit * told
      if let last {
        guard moment >= min(last + rest, last + NotificationPace.longestRest) else {
          throw Mistake(text: "it does not rest")
        }
        // Every later commit, and every waiting one, is no longer delayed.
        guard let first = open.first,
          moment <= max(first, min(last + rest, last + NotificationPace.longestRest))
        else { throw Mistake(text: "it rests too long") }
      } else if moment != open.first {
        throw Mistake(text: "the first one is not sent at once")
      }
      guard moment <= now else { return }
      due = nil
      isSending = true
      pace.beginSending()
      told = open.count
      open = []
    }
  }

  struct NotificationPaceTests {
    @Test func `every short history is notified in time`() throws {
      let commands: [PaceCommand] = [.commit, .wait(0), .wait(1), .wait(5), .wait(30), .end]
      try Property.checkEvery(of: commands, upTo: 6) {
        PaceModel()
      } apply: {
        try $0.apply($1)
      }
    }

    @Test func `long histories are notified in time`() throws {
      try Property.check(seeds: 200, steps: 200) { random in
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: PaceCommand.commit
        case 4..<7: .end
        default: .wait(Int.random(in: 0..<30, using: &random))
        }
      } system: { _ in
        PaceModel()
      } apply: {
        try $0.apply($1)
      }
    }
  }
#endif
