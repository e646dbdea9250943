#if PostgreSQL
  internal import CPostgreSQL
  internal import Dispatch

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif

  enum Interruption: Error {
    case cancelled
    case timedOut
  }

  extension Connection {
    private static let slice: Int32 = 25

    func wait(reading: Bool, writing: Bool) throws {
      let events = Int16((reading ? POLLIN : 0) | (writing ? POLLOUT : 0))
      while true {
        let now = ContinuousClock.now
        if isCancellable, Task.isCancelled {
          let since = cancelled ?? now
          cancelled = since
          if now - since >= settings.cancellationDelay { throw Interruption.cancelled }
        }
        let left = deadline - now
        guard left > .zero else { throw Interruption.timedOut }
        let socket = PQsocket(pointer)
        guard socket >= 0 else { throw lost() }
        var descriptor = pollfd(fd: socket, events: events, revents: 0)
        let count = poll(&descriptor, 1, min(Self.slice, Int32(left.milliseconds)))
        if count > 0 { return }
        if count < 0, errno != EINTR, errno != EAGAIN { throw lost() }
      }
    }

    /// Returns whether the connection seems usable.
    ///
    /// On an idle connection, the server sends little else than that it ends it. So the connection
    /// is tested only if data has arrived.
    func isAlive() -> Bool {
      guard !isBroken, PQstatus(pointer) == CONNECTION_OK else { return false }
      var descriptor = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
      if poll(&descriptor, 1, 0) == 0 { return true }
      return (try? execute("")) != nil && !isBroken
    }

    func connect() throws {
      deadline = .now + settings.configuration.connectTimeout
      // Errors then contain the code instead of the server's message.
      PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
      var status = PGRES_POLLING_WRITING
      while status != PGRES_POLLING_OK {
        guard status != PGRES_POLLING_FAILED, PQstatus(pointer) != CONNECTION_BAD else {
          let (message, state) = (self.message, Self.state(in: self.message))
          throw PostgreSQLError.connectionFailed(
            state: state, message: reason(for: state) ?? "\(message) Check host and port.")
        }
        do {
          try wait(
            reading: status == PGRES_POLLING_READING, writing: status == PGRES_POLLING_WRITING)
        } catch Interruption.timedOut {
          throw PostgreSQLError.connectionFailed(
            state: nil,
            message:
              "it did not answer within \(settings.configuration.connectTimeout). Check host and "
              + "port, or allow a longer `connectTimeout`.")
        } catch Interruption.cancelled {
          throw CancellationError()
        }
        status = PQconnectPoll(pointer)
      }
      PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
      guard PQsetnonblocking(pointer, 1) == 0 else { throw lost() }
    }

    /// Finds the code in libpq's message about a rejected connection: `…: FATAL:  3D000`.
    private static func state(in message: String) -> SQLSTATE? {
      let words = message.split { $0.isWhitespace || $0 == "." }
      let code = words.indices.dropFirst().last {
        words[$0 - 1].hasSuffix(":") && isCode(words[$0])
      }
      return code.map { SQLSTATE(String(words[$0])) }
    }

    private static func isCode(_ word: Substring) -> Bool {
      word.utf8.count == 5
        && word.utf8.allSatisfy { 48...57 ~= $0 || 65...90 ~= $0 }
        && word.utf8.contains { 48...57 ~= $0 }
    }

    /// Asks the server to stop its work for this connection.
    ///
    /// libpq opens a connection for that and waits, so this runs outside of this thread, which has
    /// a deadline.
    ///
    /// - Returns: Whether the request was sent. If not, it may still arrive later, and stop the
    ///   next statement.
    func requestCancel() -> Bool {
      guard let cancel = PQgetCancel(pointer) else { return false }
      let address = UInt(bitPattern: cancel)
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        let cancel = OpaquePointer(bitPattern: address)
        var message = [CChar](repeating: 0, count: 256)
        PQcancel(cancel, &message, Int32(message.count))
        PQfreeCancel(cancel)
        done.signal()
      }
      return done.wait(timeout: .now() + .milliseconds(settings.grace.milliseconds)) == .success
    }
  }
#endif
