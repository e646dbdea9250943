#if PostgreSQL
  internal import KinshipSQL
  internal import CPostgreSQL

  extension Connection {
    /// Subscribes to the notifications on a channel.
    func listen(to channel: String) throws { try execute("LISTEN \(SQLText.quoted(channel))") }

    /// Waits until there are notifications, or until a given time, and returns them in order of
    /// arrival.
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

    /// Returns the notifications received so far.
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

  /// A received notification.
  struct Notification: Hashable, Sendable {
    let channel: String
    let payload: String
  }
#endif
