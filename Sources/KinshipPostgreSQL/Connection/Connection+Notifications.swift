#if PostgreSQL
  internal import KinshipSQL
  internal import CPostgreSQL

  extension Connection {
    /// Asks to be told of what is notified on a channel.
    func listen(to channel: String) throws { try execute("LISTEN \(SQLText.quoted(channel))") }

    /// Waits for notifications until there are some, or until a moment; in the order in which they
    /// have come.
    func notifications(until moment: ContinuousClock.Instant) throws -> [Notification] {
      guard !isBroken else { throw lost() }
      cancelled = nil
      while true {
        guard PQconsumeInput(pointer) == 1 else { throw lost() }
        let found = taken()
        if !found.isEmpty { return found }
        deadline = moment
        do {
          try wait(reading: true, writing: false)
        } catch Interruption.timedOut {
          return []
        } catch Interruption.cancelled {
          throw CancellationError()
        }
      }
    }

    /// What was notified until now.
    private func taken() -> [Notification] {
      var taken: [Notification] = []
      while let notification = PQnotifies(pointer) {
        defer { PQfreemem(notification) }
        taken.append(
          Notification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra)))
      }
      return taken
    }
  }

  /// What somebody has notified.
  struct Notification: Hashable, Sendable {
    let channel: String
    let payload: String
  }
#endif
